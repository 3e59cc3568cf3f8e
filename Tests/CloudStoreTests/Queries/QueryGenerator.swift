import CloudModel

/// Makes records with ties and gaps, and questions about them.
struct QueryGenerator {
    enum Kind { case text, whole, real, mixed, reference }

    struct Field {
        let name: String
        let kind: Kind
        var isList = false
        /// The wire's tag; nil sends the value bare.
        var tag: String?
    }

    static let fields = [
        Field(name: "s", kind: .text, tag: "STRING"), Field(name: "i", kind: .whole, tag: "INT64"),
        Field(name: "d", kind: .real, tag: "DOUBLE"), Field(name: "t", kind: .whole, tag: "TIMESTAMP"),
        Field(name: "n", kind: .mixed), Field(name: "r", kind: .reference, tag: "REFERENCE"),
        Field(name: "ls", kind: .text, isList: true, tag: "STRING_LIST"),
        Field(name: "li", kind: .whole, isList: true, tag: "INT64_LIST"),
        Field(name: "ln", kind: .mixed, isList: true),
        Field(name: "lr", kind: .reference, isList: true, tag: "REFERENCE_LIST"),
    ]
    static let zones = [ZoneID.notes, ZoneID(name: "Other", owner: "_alice")]
    private static let texts = ["", "a", "ab", "abc", "b", "Z", "é", "éa", "🏔", "a\u{0}b"]

    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func cell(_ kind: Kind) -> PlainRecord.Cell {
        switch kind {
        case .text: .text(Self.texts.randomElement(using: &generator) ?? "")
        case .reference: .text(["x", "y", "z"].randomElement(using: &generator) ?? "x")
        case .whole: .number(Double(Int.random(in: -3...3, using: &generator)))
        case .real: .number(Double(Int.random(in: -4...4, using: &generator)) / 2)
        case .mixed: .number(Double(Int.random(in: -4...4, using: &generator)) / 2)
        }
    }

    /// - Parameter isComplete: has every field, which is what makes the schema.
    mutating func record(_ name: String, zone: ZoneID, isComplete: Bool) -> PlainRecord {
        var values: [String: PlainRecord.Value] = [:]
        for field in Self.fields where isComplete || Int.random(in: 0..<4, using: &generator) > 0 {
            guard field.isList else {
                values[field.name] = .one(cell(field.kind))
                continue
            }
            let count = isComplete ? 2 : Int.random(in: 0...3, using: &generator)
            let cells = (0..<count).map { _ in cell(field.kind) }
            // An empty list says nothing of its type unless a tag does.
            if field.tag != nil || count > 0 { values[field.name] = .many(cells) }
        }
        return PlainRecord(name: name, zone: zone, values: values)
    }

    mutating func query() -> PlainQuery {
        let filters = (0..<Int.random(in: 0...2, using: &generator)).map { _ in filter() }
        let sortable = Self.fields.filter { !$0.isList }.shuffled(using: &generator)
        let sorts = sortable.prefix(Int.random(in: 0...3, using: &generator)).map {
            PlainQuery.Sort(field: $0.name, ascending: Bool.random(using: &generator))
        }
        return PlainQuery(filters: filters, sorts: Array(sorts))
    }

    private mutating func filter() -> PlainQuery.Filter {
        let field = Self.fields.randomElement(using: &generator) ?? Self.fields[0]
        let usable = Comparator.allCases.filter {
            $0.appliesToLists == field.isList && (!$0.isPrefix || field.kind == .text)
                && !$0.isTextSearch && $0 != .near
        }
        let comparator = usable.randomElement(using: &generator) ?? .equals
        let count = comparator.takesMany ? Int.random(in: 1...3, using: &generator) : 1
        return PlainQuery.Filter(
            field: field.name, comparator: comparator, operands: (0..<count).map { _ in cell(field.kind) })
    }
}

// MARK: As the wire has it

extension QueryGenerator {
    static func json(_ cell: PlainRecord.Cell, _ kind: Kind) -> JSONValue {
        switch cell {
        case .text(let text) where kind == .reference:
            .object(JSONObject([JSONObject.Member(key: "recordName", value: .string(text))]))
        case .text(let text): .string(text)
        case .number(let number):
            if kind != .real, let whole = Int64(exactly: number) { .integer(whole) } else { .number(number) }
        }
    }

    static func creation(_ record: PlainRecord) -> String {
        var writer = JSONWriter()
        writer.object {
            for field in fields {
                guard let value = record.values[field.name] else { continue }
                $0.key(field.name)
                $0.object {
                    $0.key("value")
                    switch value {
                    case .one(let cell): $0.value(json(cell, field.kind))
                    case .many(let cells): $0.value(.array(cells.map { json($0, field.kind) }))
                    }
                    $0.member("type", field.tag)
                }
            }
        }
        return operation(
            .create, record.name, fields: String(decoding: writer.bytes, as: UTF8.self))
    }

    static func text(_ query: PlainQuery) -> String {
        var writer = JSONWriter()
        writer.object {
            $0.member("recordType", "Note")
            $0.key("filterBy")
            $0.array { for filter in query.filters { write(filter, to: &$0) } }
            $0.key("sortBy")
            $0.array {
                for sort in query.sorts {
                    $0.object {
                        $0.member("fieldName", sort.field)
                        $0.member("ascending", sort.ascending)
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func write(_ filter: PlainQuery.Filter, to writer: inout JSONWriter) {
        let kind = fields.first { $0.name == filter.field }?.kind ?? .text
        let operands = filter.operands.map { json($0, kind) }
        writer.object {
            $0.member("fieldName", filter.field)
            $0.member("comparator", filter.comparator.rawValue)
            $0.key("fieldValue")
            $0.object {
                $0.key("value")
                $0.value(filter.comparator.takesMany ? .array(operands) : operands[0])
            }
        }
    }
}
