import CloudModel

/// Converts records of a type to and from lines of CSV or JSON.
struct RecordLines {
    enum Form: String {
        case csv, jsonl

        var contentType: String { self == .csv ? "text/csv; charset=utf-8; header=present" : "application/jsonl" }
    }

    let form: Form
    /// The type's fields in column order.
    let fields: [(name: String, type: FieldType)]

    init(_ form: Form, _ definition: TypeDefinition?) {
        self.form = form
        fields = (definition?.fields ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value.type) }
    }

    /// The system columns before the fields.
    static let system = ["recordName", "recordChangeTag"]

    var head: String { form == .csv ? CSV.line(Self.system + fields.map(\.name)) : "" }

    func line(_ record: JSONValue) -> String {
        guard form == .csv else { return WireText.json(record) + "\n" }
        let object = record.object ?? JSONObject()
        return CSV.line(
            Self.system.map { object[$0]?.string.map(CSV.harmless) }
                + fields.map { name, type in
                    object["fields"]?.object?[name]?.object?["value"].flatMap { Self.cell($0, type) }
                })
    }

    private static func cell(_ value: JSONValue, _ type: FieldType) -> String? {
        switch value {
        case .null: nil
        case .string(let text): CSV.harmless(text)
        default: WireText.json(value)
        }
    }

    // MARK: Reading

    /// The operations that save a file's records: updates for records with a tag, creations for records without a tag.
    ///
    /// - Throws: `BAD_REQUEST` that names the line, and the field.
    static func operations(_ text: String, type: String, _ definition: TypeDefinition?) throws(ServerError)
        -> [JSONValue]
    {
        let isJSON = text.drop { $0.isWhitespace }.first == "{"
        return isJSON ? try json(text, type) : try csv(text, type, definition)
    }

    private static func json(_ text: String, _ type: String) throws(ServerError) -> [JSONValue] {
        var operations: [JSONValue] = []
        for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            guard let record = try? JSONParser.parse(Array(line.utf8)).object else {
                throw .badRequest("line \(index + 1) is no JSON object")
            }
            var members = record.members.filter {
                ["recordName", "recordChangeTag", "fields", "parent"].contains($0.key)
            }
            members.append(.init(key: "recordType", value: .string(record["recordType"]?.string ?? type)))
            operations.append(operation(members))
        }
        return operations
    }

    private static func csv(
        _ text: String, _ type: String, _ definition: TypeDefinition?
    ) throws(ServerError) -> [JSONValue] {
        let rows = try CSV.rows(text)
        guard let head = rows.first?.map(\.text), Set(head).count == head.count, !head.contains("") else {
            throw .badRequest("the first line must name each column once")
        }
        var operations: [JSONValue] = []
        for (index, row) in rows.dropFirst().enumerated() {
            guard row.count == head.count else {
                throw .badRequest("row \(index + 2) has \(row.count) cells, and there are \(head.count) columns")
            }
            var members = [JSONObject.Member(key: "recordType", value: .string(type))]
            var fields: [JSONObject.Member] = []
            for (name, cell) in zip(head, row) {
                if system.contains(name) {
                    guard !cell.text.isEmpty else { continue }
                    members.append(.init(key: name, value: .string(CSV.original(cell.text))))
                } else {
                    let declared = definition?.fields[name]?.type ?? FieldType(.string)
                    fields.append(
                        WireText.field(name, try value(cell, declared, "row \(index + 2), \(name)"), declared))
                }
            }
            members.append(.init(key: "fields", value: .object(JSONObject(fields))))
            operations.append(operation(members))
        }
        return operations
    }

    private static func value(_ cell: CSV.Cell, _ type: FieldType, _ place: String) throws(ServerError) -> JSONValue {
        if cell.text.isEmpty, !cell.isQuoted || type.isList || type.kind != .string { return .null }
        let isText = !type.isList && [.string, .bytes].contains(type.kind)
        if isText { return .string(CSV.original(cell.text)) }
        if WireText.edited(nil, type) != nil { return try WireText.value(cell.text, type, field: place) }
        if type.kind == .reference, !type.isList, cell.text.first != "{" {
            return .object(JSONObject([.init(key: "recordName", value: .string(CSV.original(cell.text)))]))
        }
        guard let value = try? JSONParser.parse(Array(cell.text.utf8)) else {
            throw .badRequest("\(Naming.shown(place)) must be JSON, as the wire has it")
        }
        return value
    }

    private static func operation(_ members: [JSONObject.Member]) -> JSONValue {
        let isThere = members.contains { $0.key == "recordChangeTag" }
        return .object(
            JSONObject([
                .init(key: "operationType", value: .string(isThere ? "update" : "create")),
                .init(key: "record", value: .object(JSONObject(members))),
            ]))
    }
}
