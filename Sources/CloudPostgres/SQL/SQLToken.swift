/// A token of a statement; blanks and comments are skipped.
struct SQLToken: Hashable {
    enum Kind {
        case word, quoted, string, number, parameter, symbol
    }

    let kind: Kind
    var text: String
    /// The text in upper case for words, unchanged for other tokens.
    let upper: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
        upper = kind == .word ? text.uppercased() : text
    }

    /// True for this word, ignoring case, or this symbol.
    func `is`(_ text: String) -> Bool { (kind == .word || kind == .symbol) && upper == text }

    func isOne(of texts: Set<String>) -> Bool { (kind == .word || kind == .symbol) && texts.contains(upper) }
}

/// Splits a statement into tokens.
struct SQLScanner {
    private let bytes: [UInt8]
    private var place = 0

    private init(_ sql: String) { bytes = Array(sql.utf8) }

    static func tokens(_ sql: String) -> [SQLToken] {
        var scanner = SQLScanner(sql)
        var tokens: [SQLToken] = []
        while let token = scanner.next() { tokens.append(token) }
        return tokens
    }

    private mutating func next() -> SQLToken? {
        skipBlanks()
        guard place < bytes.count else { return nil }
        switch bytes[place] {
        case UInt8(ascii: "'"): return token(.string, through: quoted(UInt8(ascii: "'")))
        case UInt8(ascii: "\""): return token(.quoted, through: quoted(UInt8(ascii: "\"")))
        case UInt8(ascii: "?"): return token(.parameter, through: run(from: place + 1, Self.isDigit))
        case let byte where Self.isDigit(byte): return token(.number, through: number())
        case let byte where Self.isLetter(byte): return token(.word, through: run(from: place, Self.isWord))
        default: return token(.symbol, through: symbol())
        }
    }

    private mutating func skipBlanks() {
        while place < bytes.count {
            if bytes[place] <= UInt8(ascii: " ") {
                place += 1
            } else if bytes[place...].starts(with: Self.comment) {
                place = run(from: place) { $0 != UInt8(ascii: "\n") }
            } else {
                return
            }
        }
    }

    private mutating func token(_ kind: SQLToken.Kind, through end: Int) -> SQLToken {
        defer { place = end }
        return SQLToken(kind, String(decoding: bytes[place..<end], as: UTF8.self))
    }

    /// The end of a quoted literal or name; a doubled quote belongs to the text.
    private func quoted(_ quote: UInt8) -> Int {
        var end = place + 1
        while end < bytes.count {
            if bytes[end] != quote {
                end += 1
            } else if end + 1 < bytes.count, bytes[end + 1] == quote {
                end += 2
            } else {
                return end + 1
            }
        }
        return end
    }

    private func number() -> Int {
        let end = run(from: place) { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
        guard end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") else { return end }
        return run(from: end + 1, Self.isDigit)
    }

    private func symbol() -> Int {
        let pair = bytes[place...].prefix(2)
        return place + (Self.pairs.contains { $0.elementsEqual(pair) } ? 2 : 1)
    }

    private func run(from start: Int, _ belongs: (UInt8) -> Bool) -> Int {
        var end = start
        while end < bytes.count, belongs(bytes[end]) { end += 1 }
        return end
    }

    private static let comment = Array("--".utf8)
    private static let pairs = ["<=", ">=", "<>", "!=", "||", "<<", ">>", "&&", "<@", "::"].map { Array($0.utf8) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte >= 0x80
    }
    private static func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }
}
