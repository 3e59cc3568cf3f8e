import CloudModel

/// The short GUID of a share: 25 letters and digits. CloudKit's short GUIDs also have `-` and `_` (reference B §9.10).
package struct ShortGUID: Sendable {
    package static let length = 25
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".unicodeScalars)

    /// The first characters of all handles of this environment.
    private let routingKey: String

    package init(routingKey: String) { self.routingKey = routingKey }

    /// 131 random bits, which cannot be guessed.
    package func make() -> String { routingKey + Self.random(characters: Self.length - routingKey.count) }

    /// Returns true if the short GUID has this environment's routing key; short GUIDs of imported records may have another.
    package func leadsHere(_ guid: String) -> Bool { guid.hasPrefix(routingKey) }

    /// Returns true if the text has only characters of short GUIDs.
    package static func isPart(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(alphabet.contains) }

    package static func random(characters: Int) -> String {
        var generator = RandomBits.Generator(.names)
        var text = String.UnicodeScalarView()
        for _ in 0..<characters { text.append(alphabet.randomElement(using: &generator) ?? "0") }
        return String(text)
    }
}
