import Foundation
import Testing

/// The statements in the sources of the store, which run on both engines as they are.
struct PortableStatementTests {
    /// What PostgreSQL refuses or, as with the bare name `user`, takes for something else. Hints to SQLite's planner belong
    /// into comments (`/*!INDEXED BY name*/`).
    private static var refused: [(what: String, pattern: Regex<Substring>)] {
        [
            ("INSERT OR", #/\bINSERT OR\b/#), ("IS ?", #/\bIS (?:NOT )?\?/#),
            ("IS NOT with a value", #/\bIS NOT [^ND]/#),
            ("a hint outside a comment", #/(?:^|[^!])\b(?:INDEXED BY|NOT INDEXED)\b/#), ("a plus", #/[( ,]\+[a-z]/#),
            ("CROSS JOIN with a condition", #/\bCROSS JOIN \w+(?: \w+)? ON\b/#),
            ("JOIN without a condition", #/[^SLRT] JOIN \w+(?: \w+)? +(?:WHERE|JOIN|LIMIT|ORDER)\b/#),
            (
                "a flag that is not compared",
                #/\b(?:WHERE|AND|OR|ON) (?:NOT )?[a-z][\w.]*(?= (?:AND|OR|ORDER|LIMIT)|\)|$)/#
            ),
            ("a negated flag", #/\bNOT [a-z]\w*\b/#), ("a parameter as a condition", #/\(\? (?:OR|AND)\b/#),
            ("user without quotes", #/(?:^|[ (,])user(?=[ ,)]|$)/#), ("BLOB", #/\bBLOB\b/#), ("infinity", #/9e999/#),
            ("VALUES in IN", #/\bIN \(VALUES\b/#),
            ("a subquery without a name", #/\bFROM \([^()]*\)\s*(?:$|WHERE|ORDER|LIMIT)/#),
        ]
    }

    @Test("Statements of the store are written in SQL that both engines take")
    func statements() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
        let files = try ["CloudAccounts", "CloudEngine", "CloudStore"].flatMap { target in
            let root = sources.appending(path: target)
            return try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
                .compactMap { $0 as? URL }
        }
        let refused = Self.refused
        var count = 0
        for file in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for statement in Self.statements(in: text) {
                count += 1
                for (what, pattern) in refused {
                    #expect(
                        statement.firstMatch(of: pattern) == nil, "\(file.lastPathComponent): \(what) in \(statement)")
                }
            }
        }
        #expect(count > 400)
    }

    @Test(
        "SQL that one engine refuses is found",
        arguments: [
            "INSERT OR IGNORE INTO t (a) VALUES (?)", "SELECT a FROM t WHERE b IS ?",
            "SELECT a FROM t WHERE b IS NOT 5",
            "SELECT a FROM t INDEXED BY i WHERE b = 1", "SELECT a FROM t v NOT INDEXED", "SELECT a FROM t WHERE +b = 1",
            "SELECT 1 FROM a CROSS JOIN b ON b.x = a.x", "SELECT 1 FROM a JOIN b WHERE b.x = a.x",
            "SELECT a FROM t WHERE isOn",
            "SELECT a FROM t WHERE NOT isOff",
            "SELECT a FROM t WHERE (? OR b = ?)", "SELECT user FROM t", "DELETE FROM t WHERE user = ?",
            "SELECT a FROM t WHERE b = CAST(? AS BLOB)", "SELECT count(*) FROM (SELECT 1 FROM t)",
            "SELECT 1 FROM t WHERE (a, b) IN (VALUES (?, ?))",
        ])
    func finds(statement: String) {
        #expect(Self.refused.contains { statement.firstMatch(of: $0.pattern) != nil })
    }

    /// The string literals with statements, on one line each, without definitions, comments and interpolations.
    private static func statements(in text: String) -> [String] {
        let literal = #/"""\n(?<many>[\s\S]*?)"""|"(?<one>(?:[^"\\\n]|\\.)*)"/#
        let code = text.split(separator: "\n").filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
            .joined(separator: "\n")
        return code.matches(of: literal).compactMap { match in
            let sql = (match.many ?? match.one ?? "").replacing("\\\"", with: "\"")
            let words = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let isStatement = words.contains(#/\b(?:SELECT|INSERT|DELETE FROM|UPDATE \w+ SET)\b|\bWHERE [a-z]|= \?/#)
            let isDefinition = words.contains(#/\b(?:CREATE|ALTER) (?:TEMP |UNIQUE )?(?:TABLE|INDEX|TRIGGER)\b/#)
            guard isStatement, !isDefinition else { return nil }
            return words.replacing(#/\\\((?:[^()]|\([^()]*\))*\)/#, with: "1").replacing(#/\/\*!.*?\*\//#, with: "")
        }
    }
}
