/// A token of schema text with its position.
struct SchemaToken: Hashable {
    enum Kind: Hashable {
        /// A keyword or an unquoted name, as written.
        case word(String)
        /// Text between double quotes.
        case quoted(String)
        /// A punctuation mark: `(`, `)`, `<`, `>`, `,` or `;`.
        case sign(Character)
        case end
    }

    let kind: Kind
    let line: Int
    let column: Int

    /// The token's name in an error message.
    var shown: String {
        switch kind {
        case .word(let word): "'\(Naming.shown(word))'"
        case .quoted(let name): "\"\(Naming.shown(name))\""
        case .sign(let sign): "'\(sign)'"
        case .end: "the end of the text"
        }
    }

    func error(_ reason: String) -> SchemaSyntaxError { SchemaSyntaxError(line: line, column: column, reason: reason) }
}

/// Splits schema text into tokens, without blanks and comments (reference A §11.3).
struct SchemaLexer {
    private let text: [Unicode.Scalar]
    private var position = 0
    private var line = 1
    private var column = 1

    init(_ text: String) {
        // Skip a byte order mark.
        let scalars =
            text.unicodeScalars.first == "\u{FEFF}" ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
        self.text = Array(scalars)
    }

    /// The next token; `end` repeatedly after the last.
    mutating func next() throws(SchemaSyntaxError) -> SchemaToken {
        try skipBlanks()
        let (line, column) = (line, column)
        guard let scalar = peek() else { return SchemaToken(kind: .end, line: line, column: column) }
        let kind: SchemaToken.Kind
        if "(),;<>".unicodeScalars.contains(scalar) {
            advance()
            kind = .sign(Character(scalar))
        } else if scalar == "\"" {
            kind = .quoted(try quoted())
        } else if Self.isWord(scalar) {
            kind = .word(word())
        } else {
            throw SchemaSyntaxError(
                line: line, column: column,
                reason: "\(Self.shown(scalar)) is not allowed here; put names with such characters in double quotes")
        }
        return SchemaToken(kind: kind, line: line, column: column)
    }

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        position + offset < text.count ? text[position + offset] : nil
    }

    private mutating func advance() {
        // CR LF counts as a single line end.
        let isEnd = text[position] == "\n" || text[position] == "\r" && peek(1) != "\n"
        position += 1
        line += isEnd ? 1 : 0
        column = isEnd ? 1 : column + 1
    }

    private mutating func skipBlanks() throws(SchemaSyntaxError) {
        while let scalar = peek() {
            if scalar.properties.isWhitespace {
                advance()
            } else if scalar == "/" && peek(1) == "/" || scalar == "-" && peek(1) == "-" {
                while let scalar = peek(), scalar != "\n", scalar != "\r" { advance() }
            } else if scalar == "/" && peek(1) == "*" {
                try skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(SchemaSyntaxError) {
        let (line, column) = (line, column)
        advance()
        advance()
        while peek() != nil {
            if peek() == "*" && peek(1) == "/" {
                advance()
                advance()
                return
            }
            advance()
        }
        throw SchemaSyntaxError(line: line, column: column, reason: "this comment is not closed; end it with */")
    }

    private mutating func quoted() throws(SchemaSyntaxError) -> String {
        let (line, column) = (line, column)
        advance()
        var name = String.UnicodeScalarView()
        while let scalar = peek(), scalar != "\n", scalar != "\r" {
            advance()
            if scalar == "\"" { return String(name) }
            name.append(scalar)
        }
        throw SchemaSyntaxError(
            line: line, column: column, reason: "this name is not closed; end it with \" on the same line")
    }

    private mutating func word() -> String {
        var word = String.UnicodeScalarView()
        while let scalar = peek(), Self.isWord(scalar) {
            advance()
            word.append(scalar)
        }
        return String(word)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        scalar.value < 0x20 || scalar.value == 0x7F
            ? "the character U+" + String(scalar.value + 0x10000, radix: 16, uppercase: true).dropFirst()
            : "'\(scalar)'"
    }
}
