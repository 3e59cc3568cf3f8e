import CloudModel
import CloudCrypto

/// A code of eight digits that is mailed to somebody, who enters it where they asked for it.
struct MailedCode {
    /// The number of times a wrong code may be entered.
    static let attempts = 5

    let text: String

    init() {
        var generator = RandomBits.Generator(.secrets)
        let number = String(UInt32.random(in: 0..<100_000_000, using: &generator))
        text = String(repeating: "0", count: 8 - number.count) + number
    }

    /// The hash that is stored of a code. It has a key, because a code is short enough to be found by trying.
    ///
    /// - Parameter id: of what the code is for.
    func digest(id: String, _ key: SymmetricKey) -> [UInt8] {
        TokenSigner(key: key).signature(of: Array("\(id):\(text)".utf8))
    }

    /// Returns true if somebody has entered the code. Spaces and dashes do not count.
    static func isRight(_ entered: String, _ digest: [UInt8], id: String, _ key: SymmetricKey) -> Bool {
        let digits = entered.filter { !$0.isWhitespace && $0 != "-" }
        return TokenSigner(key: key).isSignature(digest, of: Array("\(id):\(digits)".utf8))
    }
}
