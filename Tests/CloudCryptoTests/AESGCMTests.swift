import Testing

@testable import CloudCrypto

@Suite(.timeLimit(.minutes(1)))
struct AESGCMTests {
    private static let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
    private static let context = Array("table/row".utf8)

    @Test(
        "Sealing agrees with test cases 13 and 14 of the GCM specification",
        arguments: [
            (0, "530f8afbc74536b9a963b4f1c4cb738b"),
            (16, "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
        ])
    func vectors(count: Int, sealed: String) {
        let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
        let made = AESGCM.seal(zeros(count), using: SymmetricKey(data: zeros(32)), context: [], nonce: zeros(12))
        #expect(made == zeros(12) + bytes(sealed))
    }

    @Test("A sealed text opens with its key and context", arguments: [0, 1, 15, 16, 17, 5000])
    func roundTrip(count: Int) throws {
        let text = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = AESGCM.seal(text, using: Self.key, context: Self.context)
        #expect(sealed.count == count + 28)
        #expect(try AESGCM.open(sealed, using: Self.key, context: Self.context) == text)
    }

    @Test("A text sealed twice is not the same bytes") func nonces() {
        let seal = { AESGCM.seal([1, 2, 3], using: Self.key, context: Self.context) }
        #expect(Set((0..<50).map { _ in seal() }).count == 50)
    }

    @Test("A sealed text with any byte changed does not open") func changes() {
        let sealed = AESGCM.seal(Array("a secret".utf8), using: Self.key, context: Self.context)
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(throws: AESGCM.Fault.self) {
                try AESGCM.open(changed, using: Self.key, context: Self.context)
            }
        }
        for count in 0..<sealed.count {
            #expect(throws: AESGCM.Fault.self) {
                try AESGCM.open(Array(sealed.prefix(count)), using: Self.key, context: Self.context)
            }
        }
    }

    @Test("A sealed text opens neither with another key nor for another context") func mixUps() {
        let sealed = AESGCM.seal(Array("a secret".utf8), using: Self.key, context: Self.context)
        let other = SymmetricKey(data: [UInt8](repeating: 8, count: 32))
        #expect(throws: AESGCM.Fault.self) { try AESGCM.open(sealed, using: other, context: Self.context) }
        for context in [[], Array("table/rov".utf8), Array("table/row2".utf8)] {
            #expect(throws: AESGCM.Fault.self) { try AESGCM.open(sealed, using: Self.key, context: context) }
        }
    }
}
