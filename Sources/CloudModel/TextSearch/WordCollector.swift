/// Assembles words from the characters of texts, up to a limit.
struct WordCollector {
    private(set) var words: [String] = []
    private let most: Int
    private var known: Set<String> = []
    private var folding = Folding()
    /// Marks waiting to be sorted.
    private var marks: [Folding.Folded] = []
    /// UTF-8 of the current word, truncated to the limit.
    private var current: [UInt8] = []
    /// The current word's number of characters.
    private var count = 0
    /// True if the current word consists of a single character and its marks.
    private var isAlone = false

    init(most: Int) { self.most = most }

    var isFull: Bool { words.count >= most }

    mutating func read(_ text: String) {
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                if !marks.isEmpty { takeMarks() }
                take(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                for folded in folding.fold(scalar) {
                    if folded.order != 0 { marks.append(folded) } else { take(base: folded) }
                }
            }
            if isFull { break }
        }
        takeMarks()
        end()
    }

    private mutating func take(_ byte: UInt8) {
        let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        if Naming.isLetter(lower) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(lower) {
            if isAlone { end() }
            append(CollectionOfOne(lower))
        } else {
            end()
        }
    }

    private mutating func take(base folded: Folding.Folded) {
        if !marks.isEmpty { takeMarks() }
        take(folded)
    }

    /// Sorts marks by combining class, since order across classes has no meaning.
    private mutating func takeMarks() {
        for mark in marks.enumerated().sorted(by: { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }) {
            take(mark.element)
        }
        marks.removeAll(keepingCapacity: true)
    }

    private mutating func take(_ folded: Folding.Folded) {
        switch folded.part {
        case .letter:
            if isAlone { end() }
            append(folded.bytes)
        case .whole:
            end()
            isAlone = true
            append(folded.bytes)
        case .mark: if count > 0 { append(folded.bytes) }
        case .gap: end()
        }
    }

    private mutating func append(_ character: some Collection<UInt8>) {
        if count < Words.longest { current.append(contentsOf: character) }
        count += 1
    }

    private mutating func end() {
        isAlone = false
        guard count > 0 else { return }
        let word = String(decoding: current, as: UTF8.self)
        current.removeAll(keepingCapacity: true)
        count = 0
        if !isFull && !IgnoredWords.all.contains(word) && known.insert(word).inserted { words.append(word) }
    }
}
