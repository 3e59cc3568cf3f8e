import CloudModel
import Foundation

/// Rows under headings: aligned columns, two spaces apart, at most a page wide.
///
/// Empty columns are left out. If the table is too wide, cells break at spaces; if that does not suffice, each row becomes a
/// sheet with a line per column.
struct Table {
    let columns: [String]
    let rows: [[String]]
    /// The maximum width in terminal columns; a longer word exceeds it.
    var width = Table.widest

    static let widest = 100
    private static let gap = 2

    var text: String {
        let filled = columns.indices.filter { column in self.rows.contains { !$0[column].isEmpty } }
        if filled.count < columns.count, !filled.isEmpty {
            let rows = self.rows.map { row in filled.map { row[$0] } }
            return Table(columns: filled.map { columns[$0] }, rows: rows, width: width).text
        }
        let rows = self.rows.map { $0.map(PlainText.line) }
        let all = [columns] + rows
        let natural = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        let room = width - Self.gap * (columns.count - 1)
        if natural.reduce(0, +) <= room { return all.map { Self.line($0, natural) }.joined(separator: "\n") }
        let least = columns.indices.map { column in all.map { Self.longestWord($0[column]) }.max() ?? 0 }
        guard least.reduce(0, +) <= room else { return Self.sheets(columns, rows, width) }
        let widths = Self.fit(natural, least, room)
        return all.flatMap { Self.wrapped($0, widths) }.joined(separator: "\n")
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
            .joined(separator: String(repeating: " ", count: gap)).replacing(#/ +$/#, with: "")
    }

    /// Narrows the widest columns until the table fits.
    private static func fit(_ natural: [Int], _ least: [Int], _ room: Int) -> [Int] {
        var widths = natural
        while widths.reduce(0, +) > room {
            guard let widest = widths.indices.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] })
            else { break }
            widths[widest] -= 1
        }
        return widths
    }

    private static func wrapped(_ cells: [String], _ widths: [Int]) -> [String] {
        let parts = zip(cells, widths).map { wrap($0, $1) }
        return (0..<(parts.map(\.count).max() ?? 0)).map { index in
            line(parts.map { index < $0.count ? $0[index] : "" }, widths)
        }
    }

    private static func sheets(_ columns: [String], _ rows: [[String]], _ width: Int) -> String {
        let label = columns.map(\.count).max() ?? 0
        return rows.map { row in
            zip(columns, row).filter { !$1.isEmpty }.flatMap { name, cell in
                wrap(cell, width - label - gap).enumerated().map { line([$0 == 0 ? name : "", $1], [label, 0]) }
            }.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private static func longestWord(_ text: String) -> Int { text.split(separator: " ").map(\.count).max() ?? 0 }

    /// Breaks text into lines of at most `width` characters; longer words stay whole.
    static func wrap(_ text: String, _ width: Int) -> [String] {
        guard text.count > width else { return [text] }
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension Timestamp {
    /// The time for a table cell, breakable between day and hour: `2026-11-26 17:12:11Z`.
    var shown: String { date.formatted(.iso8601).replacing("T", with: " ") }
}
