import CloudModel

/// The short GUID of a record that can be shared: 25 letters and digits. CloudKit's have `-` and `_` too (reference B §9.10).
struct ShortGUID: Sendable {
    static let length = 25
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".unicodeScalars)

    /// The beginning of every handle of this environment of the container.
    let routingKey: String

    /// 131 bits from the system's generator, so it can be found by nobody who was not told.
    func make() -> String { routingKey + Self.random(characters: Self.length - routingKey.count) }

    /// Returns true if the short GUID was made in this environment. Those of imported records may not be.
    func leadsHere(_ guid: String) -> Bool { guid.hasPrefix(routingKey) }

    /// Returns true if the text has only characters of short GUIDs.
    static func isPart(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(alphabet.contains) }

    static func random(characters: Int) -> String {
        var generator = RandomBits.Generator(.names)
        var text = String.UnicodeScalarView()
        for _ in 0..<characters { text.append(alphabet.randomElement(using: &generator) ?? "0") }
        return String(text)
    }
}
