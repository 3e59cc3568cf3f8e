import CloudModel

/// Makes records with ties and gaps, and questions about them.
struct QueryGenerator {
    enum Kind { case text, whole, real, mixed, reference, phrase, place, moment, name }

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
        Field(name: "w", kind: .phrase, tag: "STRING"), Field(name: "p", kind: .place, tag: "LOCATION"),
        Field(name: "q", kind: .place, tag: "LOCATION"),
    ]
    /// What every record has without a client's doing.
    static let systemFields = [
        Field(name: "___createTime", kind: .moment), Field(name: "___modTime", kind: .moment),
        Field(name: "___recordID", kind: .name), Field(name: "___createdBy", kind: .name),
    ]
    /// The fields whose words are kept, once made.
    static let searchable = ["s", "w"]
    static let zones = [ZoneID.notes, ZoneID(name: "Other", owner: "_alice")]
    private static let texts = ["", "a", "ab", "abc", "b", "Z", "é", "éa", "🏔", "a\u{0}b"]

    private static let phrases = [
        "the red fox", "Red Fox and fœtus", "rød", "München Straße", "STRASSE of munchen", "fox 12", "東京 fox", "of the",
        "",
    ]
    /// Around the poles, the date line and one town, and some that are alone.
    private static let positions = [
        (90, 0), (89.999, 17), (89.998, -170), (-90, 5), (-89.7, 100), (0.2, 180), (0.2, -180), (0.21, 179.97),
        (0.25, -179.96), (50.03, 8.57), (50.0301, 8.5702), (50.1, 8.7), (49.9, 8.2), (-33.9, 151.2), (0, 0),
        (12.3, -45.6),
    ].map { Position(latitude: $0.0, longitude: $0.1) }
    private static let distances = [0.5, 60, 1_234.5, 9_000, 40_000, 300_000, 5_000_000, 15_000_000, 30_000_000]

    /// Whether it asks for system fields too: those of records made by ``record(_:zone:isComplete:)`` and stamped.
    var asksForSystemFields = false
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func cell(_ kind: Kind) -> PlainRecord.Cell {
        switch kind {
        case .text: .text(Self.texts.randomElement(using: &generator) ?? "")
        case .phrase: .text(Self.phrases.randomElement(using: &generator) ?? "")
        case .moment: .number(Double(Self.moments.randomElement(using: &generator) ?? 0))
        case .name: .text(["_alice", "_bob", "0-1", "0-7", "1-3", "9"].randomElement(using: &generator) ?? "")
        case .place: .number(0)
        case .reference: .text(["x", "y", "z"].randomElement(using: &generator) ?? "x")
        case .whole: .number(Double(Int.random(in: -3...3, using: &generator)))
        case .real: .number(Double(Int.random(in: -4...4, using: &generator)) / 2)
        case .mixed: .number(Double(Int.random(in: -4...4, using: &generator)) / 2)
        }
    }

    /// When records are made, in milliseconds.
    static let moments: [Int64] = [1_700_000_000_000, 1_700_000_001_000, 1_700_000_002_000]

    private mutating func position() -> Position {
        Self.positions.randomElement(using: &generator) ?? Position(latitude: 0, longitude: 0)
    }

    /// - Parameter isComplete: has every field, which is what makes the schema.
    mutating func record(_ name: String, zone: ZoneID, isComplete: Bool) -> PlainRecord {
        var values: [String: PlainRecord.Value] = [:]
        for field in Self.fields where isComplete || Int.random(in: 0..<4, using: &generator) > 0 {
            if field.kind == .place {
                values[field.name] = .place(position())
                continue
            }
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
        let count = Int.random(in: 0..<40, using: &generator) == 0 ? 20 : Int.random(in: 0...2, using: &generator)
        let filters = (0..<count).map { _ in filter() }
        let sortable = fields.filter { !$0.isList }.shuffled(using: &generator)
        let sorts = sortable.prefix(Int.random(in: 0...3, using: &generator)).map { field in
            let ascending = Bool.random(using: &generator)
            return PlainQuery.Sort(
                field: field.name, ascending: ascending, origin: field.kind == .place ? position() : nil)
        }
        return PlainQuery(filters: filters, sorts: Array(sorts))
    }

    private mutating func filter() -> PlainQuery.Filter {
        let field = fields.randomElement(using: &generator) ?? Self.fields[0]
        if field.kind == .place {
            let distance = Self.distances.randomElement(using: &generator) ?? 1
            return PlainQuery.Filter(field: field.name, comparator: .near, center: position(), distance: distance)
        }
        if field.kind == .phrase { return search(field.name) }
        let usable = Comparator.allCases.filter {
            $0.appliesToLists == field.isList && (!$0.isPrefix || field.kind == .text)
                && !$0.isTextSearch && $0 != .near
        }
        let comparator = usable.randomElement(using: &generator) ?? .equals
        let count = comparator.takesMany ? Int.random(in: 1...3, using: &generator) : 1
        return PlainQuery.Filter(
            field: field.name, comparator: comparator, operands: (0..<count).map { _ in cell(field.kind) })
    }

    private var fields: [Field] { Self.fields + (asksForSystemFields ? Self.systemFields : []) }

    /// For words of one field, or of all.
    private mutating func search(_ field: String) -> PlainQuery.Filter {
        let comparator: Comparator = Bool.random(using: &generator) ? .containsAllTokens : .containsAnyTokens
        let words = ["RED", "fox", "munchen strasse", "rod", "the 12 京", "ab", "nothing", "fœtus é"]
        let count = Int.random(in: 1...2, using: &generator)
        return PlainQuery.Filter(
            field: Bool.random(using: &generator) ? field : "", comparator: comparator,
            operands: (0..<count).map { _ in .text(words.randomElement(using: &generator) ?? "fox") })
    }
}

// MARK: As the wire has it

extension QueryGenerator {
    static func json(_ cell: PlainRecord.Cell, _ kind: Kind) -> JSONValue {
        switch cell {
        case .text(let text) where kind == .reference || kind == .name:
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
                    case .place(let position): $0.value(json(position))
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
                        if let origin = sort.origin {
                            $0.key("relativeLocation")
                            $0.value(json(origin))
                        }
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func json(_ position: Position) -> JSONValue {
        .object(
            JSONObject([
                JSONObject.Member(key: "latitude", value: .number(position.latitude)),
                JSONObject.Member(key: "longitude", value: .number(position.longitude)),
            ]))
    }

    private static func write(_ filter: PlainQuery.Filter, to writer: inout JSONWriter) {
        let kind = (fields + systemFields).first { $0.name == filter.field }?.kind ?? .text
        let operands = filter.center.map { [json($0)] } ?? filter.operands.map { json($0, kind) }
        writer.object {
            if !filter.field.isEmpty { $0.member("fieldName", filter.field) }
            if filter.comparator == .near {
                $0.key("distance")
                $0.number(filter.distance)
            }
            $0.member("comparator", filter.comparator.rawValue)
            $0.key("fieldValue")
            $0.object {
                $0.key("value")
                let isArray = filter.comparator.takesMany || filter.comparator.isTextSearch
                $0.value(isArray ? .array(operands) : operands[0])
            }
        }
    }
}
