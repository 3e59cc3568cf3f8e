/// The words of a text as a search takes them (reference A §5.3): runs of letters and digits, without case and
/// diacritics. Scripts that are written without spaces, and emoji, have a word for each character.
package enum Words {
    /// Grows with every change to the words that a text has: what was indexed by an earlier version has to be taken
    /// out as that version put it in.
    package static let version: Int64 = 1
    /// Characters of a word that count.
    package static let longest = 64

    /// Each word once, in the order in which they first occur; those that a search ignores are left out.
    package static func of(_ text: String) -> [String] {
        var collector = WordCollector()
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 { collector.take(byte) }
        } else {
            for scalar in Folding.scalars(of: text) { collector.take(scalar) }
        }
        return collector.finished()
    }
}

/// Puts characters that are folded together to words.
private struct WordCollector {
    private var words: [String] = []
    private var known: Set<String> = []
    /// UTF-8 of the current word, as far as it counts.
    private var current: [UInt8] = []
    /// Its characters.
    private var count = 0
    /// Whether the current word is one character with its marks.
    private var isAlone = false

    mutating func take(_ byte: UInt8) {
        let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        if Naming.isLetter(lower) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(lower) {
            append(CollectionOfOne(lower))
        } else {
            end()
        }
    }

    mutating func take(_ scalar: Unicode.Scalar) {
        switch WordPart(scalar) {
        case .letter:
            if isAlone { end() }
            append(UTF8.encode(scalar))
        case .whole:
            end()
            isAlone = true
            append(UTF8.encode(scalar))
        case .mark: if count > 0 { append(UTF8.encode(scalar)) }
        case .gap: end()
        }
    }

    private mutating func append(_ character: (some Collection<UInt8>)?) {
        if count < Words.longest, let character { current.append(contentsOf: character) }
        count += 1
    }

    private mutating func end() {
        isAlone = false
        guard count > 0 else { return }
        let word = String(decoding: current, as: UTF8.self)
        current.removeAll(keepingCapacity: true)
        count = 0
        if !IgnoredWords.all.contains(word) && known.insert(word).inserted { words.append(word) }
    }

    mutating func finished() -> [String] {
        end()
        return words
    }
}
