/// The words of a text as a search takes them (reference A §5.3): runs of letters and digits, without case and
/// diacritics. Scripts that are written without spaces, and emoji, have a word for each character.
package enum Words {
    /// Grows with every change to the words that a text has: the index is then made anew.
    package static let version: Int64 = 2
    /// Characters of a word that count.
    package static let longest = 64
    /// Different words of a field that are kept: its first ones.
    package static let mostKept = 10_000

    /// Distinct words in order of first occurrence, without words that searches ignore.
    ///
    /// - Parameter most: reading stops after this many words.
    package static func of(_ text: String, most: Int = mostKept) -> [String] { of(CollectionOfOne(text), most: most) }

    /// The words of several texts, each once.
    package static func of(_ texts: some Sequence<String>, most: Int = mostKept) -> [String] {
        var collector = WordCollector(most: most)
        for text in texts where !collector.isFull { collector.read(text) }
        return collector.words
    }
}
