import CloudEngine
import CloudModel
import CloudCrypto

/// A code of eight digits, mailed to a person who enters it in the browser.
struct MailedCode {
    /// The number of attempts to enter the code.
    static let attempts = 5

    let text: String

    init() {
        var generator = RandomBits.Generator(.secrets)
        let number = String(UInt32.random(in: 0..<100_000_000, using: &generator))
        text = String(repeating: "0", count: 8 - number.count) + number
    }

    /// The stored hash of a code. It is keyed (HMAC), because eight digits could be found by trying all.
    ///
    /// - Parameter id: the id of the registration or password reset.
    func digest(id: String, _ key: SymmetricKey) -> [UInt8] { Self.digest(of: text, id: id, key) }

    static func digest(of text: String, id: String, _ key: SymmetricKey) -> [UInt8] {
        TokenSigner(key: key).signature(of: Array("\(id):\(text)".utf8))
    }

    /// Returns true if the entered code is correct. Spaces and dashes are ignored.
    static func isRight(_ entered: String, _ digest: [UInt8], id: String, _ key: SymmetricKey) -> Bool {
        let digits = entered.filter { !$0.isWhitespace && $0 != "-" }
        return TokenSigner(key: key).isSignature(digest, of: Array("\(id):\(digits)".utf8))
    }
}
