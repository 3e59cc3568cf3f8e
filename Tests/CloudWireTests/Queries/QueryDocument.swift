import Foundation

/// The tables of `docs/queries.md`, which tests hold the server to.
struct QueryDocument {
    /// A cell of the table of comparators and types.
    struct Combination: CustomStringConvertible {
        let comparator: String
        let type: String
        let isAnswered: Bool

        var description: String { "\(comparator) on \(type)" }
    }

    /// A row of the table of matches.
    struct Example: CustomStringConvertible {
        let field: String
        let comparator: String
        let operand: String
        let matches: [String]

        var description: String { "\(field) \(comparator) \(operand)" }
    }

    let combinations: [Combination]
    /// Each record's name and its fields by name.
    let records: [(name: String, fields: [(name: String, value: String)])]
    let examples: [Example]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/queries.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        let rows = lines.filter { $0.hasPrefix("| ") }.map(Self.cells)
        let head = rows.first { $0.contains("STRING") && $0.contains("LOCATION") } ?? []
        combinations = rows.filter { $0.count == head.count && $0[0].hasPrefix("`") }.flatMap { row in
            zip(head, row).dropFirst().map { type, cell in
                Combination(comparator: Self.bare(row[0]), type: type, isAnswered: cell == "yes")
            }
        }
        examples = rows.filter { $0.count == 5 && $0[1].hasPrefix("`") && $0[2].hasPrefix("`") }.map { row in
            Example(
                field: Self.bare(row[0]), comparator: Self.bare(row[1]), operand: Self.bare(row[2]),
                matches: row[3].split(separator: " ").map { Self.bare(String($0)) })
        }
        records = lines.drop { $0 != "```text" }.dropFirst().prefix { $0 != "```" }.map { line in
            let parts = line.split(separator: " ").map(String.init)
            return (
                parts[0],
                parts.dropFirst().map { part in
                    let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
                    return (pair[0], pair[1])
                }
            )
        }
    }

    private static func cells(_ line: String) -> [String] {
        line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func bare(_ cell: String) -> String { cell.trimmingCharacters(in: ["`"]) }
}
