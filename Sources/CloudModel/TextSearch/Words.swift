/// The search words of a text (reference A §5.3): runs of letters and digits, without case and diacritics. Emoji, and scripts
/// without spaces, yield a word per character.
package enum Words {
    /// Increases with each change to word splitting, which triggers a rebuild of the index.
    package static let version: Int64 = 2
    /// Significant characters of a word.
    package static let longest = 64
    /// Limit on distinct words kept per field; later words are dropped.
    package static let mostKept = 10_000

    /// Distinct words in order of first occurrence, without words that searches ignore.
    ///
    /// - Parameter most: reading stops after this many words.
    package static func of(_ text: String, most: Int = mostKept) -> [String] { of(CollectionOfOne(text), most: most) }

    /// The distinct words of several texts.
    package static func of(_ texts: some Sequence<String>, most: Int = mostKept) -> [String] {
        var collector = WordCollector(most: most)
        for text in texts where !collector.isFull { collector.read(text) }
        return collector.words
    }
}
