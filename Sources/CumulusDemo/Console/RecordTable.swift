import Foundation

/// Records as aligned columns: the name, then the fields asked for; deletions and errors say so in words.
struct RecordTable {
    private static let rowsShown = 8
    private static let cellWidth = 34

    let lines: [String]

    init(_ records: [CloudRecord], fields: [String]) {
        let header = ["recordName"] + fields
        let rows = records.prefix(Self.rowsShown).map { record in
            [record.name] + (Self.remark(on: record).map { [$0] } ?? fields.map { Self.cell(record, $0) })
        }
        let widths = header.indices.map { column in
            ([header] + rows.filter { $0.count == header.count }).map { $0[column].count }.max() ?? 0
        }
        var lines = ([header] + rows).map { row in
            zip(row, widths).map { $0.padding(to: $1) }.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }
        if records.count > Self.rowsShown { lines.append("… \((records.count - Self.rowsShown).grouped) more") }
        self.lines = lines
    }

    private static func remark(on record: CloudRecord) -> String? {
        if let code = record.errorCode { return "\(code): \(record.json["reason"]?.string ?? "")" }
        return record.isDeleted ? "deleted" : nil
    }

    private static func cell(_ record: CloudRecord, _ field: String) -> String {
        if field == "recordChangeTag" { return record.tag }
        guard let value = record[field] else { return "–" }
        let text = text(of: value, type: record.json["fields"]?[field]?["type"]?.string)
        return text.count <= cellWidth ? text : "\(text.prefix(cellWidth - 1))…"
    }

    private static func text(of value: JSON, type: String?) -> String {
        switch (type, value) {
        case ("TIMESTAMP", .number(let milliseconds)):
            Date(timeIntervalSince1970: milliseconds / 1000).formatted(.iso8601)
        case (_, .object):
            value["recordName"]?.string.map { "→ \($0)" }
                ?? ["latitude", "longitude"].compactMap { value[$0]?.text }.joined(separator: ", ")
        case (_, .string(let string)): string
        default: value.text
        }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
