import Foundation

/// Records as aligned columns: the name, then those fields asked for that any of them has; deletions and errors say so
/// in words.
struct RecordTable {
    private static let rowsShown = 8
    private static let cellWidth = 34

    let lines: [String]

    init(_ records: [JSON], fields: [String]) {
        let shown = records.prefix(Self.rowsShown)
        let columns = fields.filter { field in shown.contains { Self.cell($0, field) != nil } }
        let rows =
            [["recordName"] + columns]
            + shown.map { record in
                [record["recordName"]?.string ?? ""]
                    + (Self.remark(on: record).map { [$0] } ?? columns.map { Self.cell(record, $0) ?? "–" })
            }
        let remarked = [false] + shown.map { Self.remark(on: $0) != nil }
        let widths = (0...columns.count).map { column in
            zip(rows, remarked).filter { column == 0 || !$1 }.map { row, _ in row[column].count }.max() ?? 0
        }
        var lines = rows.map { row in
            row.enumerated().map { $1.padding(to: $0 < widths.count ? widths[$0] : 0) }
                .joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }
        if records.count > Self.rowsShown { lines.append("… \((records.count - Self.rowsShown).grouped) more") }
        self.lines = lines
    }

    /// What is said of an entry that has no fields to show.
    private static func remark(on record: JSON) -> String? {
        if let code = record["serverErrorCode"]?.string { return "\(code): \(record["reason"]?.string ?? "")" }
        return record["deleted"] == true ? "deleted" : nil
    }

    private static func cell(_ record: JSON, _ field: String) -> String? {
        if field == "recordChangeTag" { return record[field]?.string }
        guard let value = record["fields"]?[field]?["value"] else { return nil }
        let text = text(of: value, type: record["fields"]?[field]?["type"]?.string)
        return text.count <= cellWidth ? text : "\(text.prefix(cellWidth - 1))…"
    }

    private static func text(of value: JSON, type: String?) -> String {
        switch (type, value) {
        case ("TIMESTAMP", .number(let milliseconds)):
            Date(timeIntervalSince1970: milliseconds / 1000).formatted(.iso8601)
        case (_, .object):
            value["recordName"]?.string.map { "→ \($0)" }
                ?? ["latitude", "longitude"].compactMap { value[$0]?.text }.joined(separator: ", ")
        case (_, .string(let string)): string.replacing("\n", with: " ↵ ")
        default: value.text
        }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
