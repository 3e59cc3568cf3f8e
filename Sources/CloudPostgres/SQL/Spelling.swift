/// Translates statements to PostgreSQL where both engines need different SQL.
///
/// Runs once per SQL text, when it is prepared. ``LayoutSpelling`` translates definitions.
struct Spelling {
    private var tokens: [SQLToken]

    private init(_ tokens: [SQLToken]) { self.tokens = tokens }

    static func statement(_ sql: String) -> String { text(of: respelled(SQLScanner.tokens(sql))) }

    /// Translates tokens, including statements inside definitions.
    static func respelled(_ tokens: [SQLToken]) -> [SQLToken] {
        var spelling = Spelling(tokens)
        spelling.numberParameters()
        spelling.dropHints()
        spelling.dropOrderOfJoins()
        spelling.dropUnaryPlus()
        spelling.dropLowestBound()
        spelling.ignoreConflicts()
        spelling.compareWithNulls()
        spelling.listPairs()
        spelling.askFlags()
        spelling.nameSubqueries()
        spelling.replaceWords()
        return spelling.tokens
    }

    static func text(of tokens: [SQLToken]) -> String { tokens.map(\.text).joined(separator: " ") }

    // MARK: Parameters

    /// A bare `?` gets the highest previous number plus one.
    private mutating func numberParameters() {
        var highest = 0
        for index in tokens.indices where tokens[index].kind == .parameter {
            let number = Int(tokens[index].text.dropFirst()) ?? highest + 1
            highest = max(highest, number)
            tokens[index].text = "$\(number)"
        }
    }

    // MARK: What the planner is told

    private mutating func dropHints() {
        var kept: [SQLToken] = []
        var index = 0
        while index < tokens.count {
            if tokens[index].is("INDEXED"), index + 1 < tokens.count, tokens[index + 1].is("BY") {
                index += 3
            } else if tokens[index].is("NOT"), index + 1 < tokens.count, tokens[index + 1].is("INDEXED") {
                index += 2
            } else {
                kept.append(tokens[index])
                index += 1
            }
        }
        tokens = kept
    }

    /// In SQLite, CROSS fixes the order of a join with a condition; PostgreSQL allows no condition after CROSS.
    private mutating func dropOrderOfJoins() {
        for index in tokens.indices.reversed() where tokens[index].is("CROSS") {
            if hasCondition(after: index + 2) { tokens.remove(at: index) }
        }
    }

    private func hasCondition(after start: Int) -> Bool {
        var depth = 0
        for token in tokens[min(start, tokens.count)...] {
            if token.is("(") { depth += 1 }
            if token.is(")") { depth -= 1 }
            if depth < 0 { return false }
            if depth == 0, token.isOne(of: Self.endsOfTable) { return token.is("ON") }
        }
        return false
    }

    private mutating func dropUnaryPlus() {
        for index in tokens.indices.reversed() where tokens[index].is("+") && isOperandNext(after: index - 1) {
            tokens.remove(at: index)
        }
    }

    private func isOperandNext(after index: Int) -> Bool {
        guard index >= 0 else { return true }
        if tokens[index].kind == .symbol { return !tokens[index].is(")") }
        return tokens[index].isOne(of: Self.beforeOperand)
    }

    /// Replaces `>= -9e999`, a lowest bound that SQLite's index can start from, by IS NOT NULL.
    private mutating func dropLowestBound() {
        for index in tokens.indices.dropLast(2).reversed()
        where tokens[index].is(">=") && tokens[index + 1].is("-") && tokens[index + 2].text == "9e999" {
            let words = ["IS", "NOT", "NULL"].map { SQLToken(.word, $0) }
            tokens.replaceSubrange(index...(index + 2), with: words)
        }
    }

    // MARK: Conditions

    private mutating func ignoreConflicts() {
        guard tokens.count > 3, tokens[0].is("INSERT"), tokens[1].is("OR"), tokens[2].is("IGNORE") else { return }
        tokens.removeSubrange(1...2)
        tokens += ["ON", "CONFLICT", "DO", "NOTHING"].map { SQLToken(.word, $0) }
    }

    /// Translates `a IS b`, except for constants.
    private mutating func compareWithNulls() {
        for index in tokens.indices.reversed() where tokens[index].is("IS") {
            let isNot = index + 1 < tokens.count && tokens[index + 1].is("NOT")
            let place = index + (isNot ? 2 : 1)
            guard place < tokens.count, !tokens[place].isOne(of: Self.afterIs) else { continue }
            let words = isNot ? ["IS", "DISTINCT", "FROM"] : ["IS", "NOT", "DISTINCT", "FROM"]
            tokens.replaceSubrange(index..<place, with: words.map { SQLToken(.word, $0) })
        }
    }

    /// Turns `(a, b) IN (VALUES (?, ?))` into a row list, whose parameters take the types of the compared columns.
    private mutating func listPairs() {
        for index in tokens.indices.dropFirst(2).reversed()
        where tokens[index].is("VALUES") && tokens[index - 1].is("(") && tokens[index - 2].is("IN") {
            tokens.remove(at: index)
        }
    }

    /// Compares a numeric flag in a condition with zero.
    private mutating func askFlags() {
        for index in tokens.indices.reversed() where startsCondition(index) {
            let start = index + 1
            let end = start + 2 < tokens.count && tokens[start + 1].is(".") ? start + 3 : start + 1
            guard end <= tokens.count, isFlag(start),
                end == tokens.count || tokens[end].isOne(of: Self.afterCondition)
            else { continue }
            let comparison = [SQLToken(.symbol, "<>"), SQLToken(.number, "0"), SQLToken(.symbol, ")")]
            tokens.insert(contentsOf: comparison, at: end)
            tokens.insert(SQLToken(.symbol, "("), at: start)
        }
    }

    private func startsCondition(_ index: Int) -> Bool {
        guard tokens[index].isOne(of: Self.beforeCondition) else {
            // The first of several flags in parentheses.
            return tokens[index].is("(") && tokens[...index].contains { $0.is("WHERE") }
                && index + 2 < tokens.count && tokens[index + 2].is("OR")
        }
        return !(tokens[index].is("NOT") && index > 0 && tokens[index - 1].is("IS"))
    }

    private func isFlag(_ index: Int) -> Bool {
        guard index < tokens.count else { return false }
        switch tokens[index].kind {
        case .number, .parameter, .quoted: return true
        case .word: return !tokens[index].isOne(of: Self.notFlags)
        case .string, .symbol: return false
        }
    }

    // MARK: Names

    /// Names subqueries in FROM, as PostgreSQL 15 requires.
    private mutating func nameSubqueries() {
        var number = 0
        for index in tokens.indices.reversed() {
            guard tokens[index].isOne(of: ["FROM", "JOIN"]), index + 2 < tokens.count, tokens[index + 1].is("("),
                tokens[index + 2].isOne(of: ["SELECT", "VALUES", "WITH"]), let end = closing(index + 1)
            else { continue }
            let isNamed =
                end + 1 < tokens.count && tokens[end + 1].kind == .word
                && !tokens[end + 1].isOne(of: Self.endsOfTable)
            if isNamed { continue }
            number += 1
            tokens.insert(contentsOf: [SQLToken(.word, "AS"), SQLToken(.word, "subquery\(number)")], at: end + 1)
        }
    }

    private func closing(_ open: Int) -> Int? {
        var depth = 0
        for index in open..<tokens.count {
            if tokens[index].is("(") { depth += 1 }
            if tokens[index].is(")") { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private mutating func replaceWords() {
        for index in tokens.indices {
            switch tokens[index].upper {
            // Unquoted, USER means the current role.
            case "USER" where tokens[index].kind == .word: tokens[index].text = "\"user\""
            case "JSON_EACH" where tokens[index].kind == .word:
                tokens[index].text = "json_array_elements_text"
            case "BLOB" where tokens[index].kind == .word: tokens[index].text = "BYTEA"
            case "9e999": tokens[index].text = "CAST('Infinity' AS DOUBLE PRECISION)"
            default: break
            }
        }
    }

    private static let endsOfTable: Set<String> = [
        "ON", "USING", "CROSS", "JOIN", "LEFT", "INNER", "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "UNION",
        "RETURNING", "SET", ";", ",",
    ]
    private static let beforeOperand: Set<String> = [
        "SELECT", "WHERE", "AND", "OR", "NOT", "ON", "BY", "WHEN", "THEN", "ELSE", "IN", "IS", "BETWEEN", "LIMIT",
    ]
    private static let afterIs: Set<String> = ["NULL", "DISTINCT", "TRUE", "FALSE"]
    private static let beforeCondition: Set<String> = ["WHERE", "AND", "OR", "NOT", "ON"]
    private static let afterCondition: Set<String> = [
        "AND", "OR", ")", ";", ",", "ORDER", "GROUP", "LIMIT", "RETURNING", "UNION", "WHERE", "LEFT", "JOIN", "CROSS",
        "ON",
    ]
    private static let notFlags: Set<String> = ["NULL", "TRUE", "FALSE", "NOT", "EXISTS", "CASE", "SELECT", "IN"]
}
