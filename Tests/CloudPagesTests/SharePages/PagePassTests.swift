@testable import CloudPages
import CloudEngine
import CloudModel
import CloudCrypto
import Foundation
import Testing

struct PagePassTests {
    private let pass = PagePass(signer: TokenSigner(key: SymmetricKey(size: .bits256)))
    private let now = Timestamp(wholeSeconds: 1_800_000_000)

    @Test("A page pass is limited to its page, password and lifetime") func scope() {
        let text = pass.make(id: "trip", mark: "hash", now: now)
        #expect(pass.isGood(text, id: "trip", mark: "hash", now: now))
        #expect(!pass.isGood(text, id: "trap", mark: "hash", now: now))
        #expect(!pass.isGood(text, id: "trip", mark: "other", now: now))
        #expect(!pass.isGood(text, id: "trip", mark: "hash", now: now + PagePass.lifetime))
    }

    @Test("A forged page pass is refused", arguments: ["", ".", "1.a", "99999999999.AAAA", "x.y.z"])
    func forged(text: String) {
        #expect(!pass.isGood(text, id: "trip", mark: "hash", now: now))
    }

    @Test("A page pass from another server is refused") func otherServer() {
        let other = PagePass(signer: TokenSigner(key: SymmetricKey(size: .bits256)))
        let text = other.make(id: "trip", mark: "hash", now: now)
        #expect(!pass.isGood(text, id: "trip", mark: "hash", now: now))
    }
}

struct ItemKeyTests {
    @Test(
        "An item key is read back as it was written",
        arguments: ["a", "Reminder/UUID", "日本", "x.y", String(repeating: "n", count: 255)])
    func keyRoundTrip(name: String) {
        let key = ItemKey(recordName: name, field: "photo", index: 2)
        #expect(ItemKey(key.text) == key)
    }

    @Test(
        "A malformed item key is refused",
        arguments: ["", "..", "a.b", "YQ.photo.-1", "YQ.photo.x", "!.photo.0", ".photo.0", "_w.photo.0", "a.b.c.d"])
    func otherKeys(text: String) {
        #expect(ItemKey(text) == nil)
    }
}
