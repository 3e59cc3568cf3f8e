import CloudModel
import CloudSQL

/// The fields of a record whose words are indexed, as of its last write.
struct TextSet {
    struct Field: Hashable {
        let id: Int64
        let name: String
    }

    let id: Int64
    let fields: [Field]

    /// The record's tokens; nil without words.
    func tokens(of body: JSONObject, zone: Int64) -> String? {
        Self.tokens(fields.map { field in (field.id, Self.words(body[field.name])) }, zone: zone)
    }

    /// Tokens of word, field and zone, so that a search skips other fields and zones.
    static func tokens(_ words: [(field: Int64, words: [String])], zone: Int64) -> String? {
        var text = ""
        for (field, words) in words {
            for word in words {
                if !text.isEmpty { text += " " }
                text += token(word, field: field, zone: zone)
            }
        }
        return text.isEmpty ? nil : text
    }

    static func token(_ word: String, field: Int64, zone: Int64) -> String { "\(field):\(zone):\(word)" }

    /// The words of a field in a stored body.
    static func words(_ field: JSONValue?) -> [String] {
        switch field?.object?["value"] {
        case .string(let text): Words.of(text)
        case .array(let texts): Words.of(texts.lazy.compactMap(\.string))
        default: []
        }
    }
}

extension TextSet {
    /// The set for the type's current fields, created on first use; nil for a type without indexed words.
    static func current(_ type: RecordType, _ db: SQLConnection) throws -> TextSet? {
        let fields = type.worded.map { Field(id: $0.id, name: $0.name) }
        guard !fields.isEmpty else { return nil }
        let text = fields.map { "\($0.id):\($0.name)" }.joined(separator: " ")
        let known = try db.first(
            "SELECT id FROM text_sets WHERE version = ? AND fields = ?", .integer(Words.version), .text(text)
        ) { $0.integer(0) }
        if let known { return TextSet(id: known, fields: fields) }
        let id = try db.insert(
            "INSERT INTO text_sets (version, fields) VALUES (?, ?) RETURNING id", .integer(Words.version), .text(text))
        return TextSet(id: id, fields: fields)
    }

    static func find(_ id: Int64, _ db: SQLConnection) throws -> TextSet? {
        try db.first("SELECT fields FROM text_sets WHERE id = ?", .integer(id)) { row in
            TextSet(
                id: id,
                fields: row.text(0).split(separator: " ").compactMap { field in
                    let parts = field.split(separator: ":", maxSplits: 1)
                    guard parts.count == 2, let id = Int64(parts[0]) else { return nil }
                    return Field(id: id, name: String(parts[1]))
                })
        }
    }
}

/// A cache of text sets for writes. Confined to the writer's queue.
struct TextSets {
    private var current: [Int64: TextSet?] = [:]
    private var byID: [Int64: TextSet] = [:]
    private var version: Int64 = 0

    mutating func current(_ type: RecordType, _ catalog: Catalog, _ db: SQLConnection) throws -> TextSet? {
        if version != catalog.version { (current, version) = ([:], catalog.version) }
        if let known = current[type.id] { return known }
        let set = try TextSet.current(type, db)
        current[type.id] = .some(set)
        if let set { byID[set.id] = set }
        return set
    }

    mutating func find(_ id: Int64, _ db: SQLConnection) throws -> TextSet? {
        if let known = byID[id] { return known }
        let set = try TextSet.find(id, db)
        byID[id] = set
        return set
    }
}
