import CloudModel

/// The words of one record, for searches of this record alone, without an index and without a limit on terms.
struct RecordWords {
    private let fields: JSONObject
    /// The names of fields that were removed from the schema since the record was written.
    private let gone: Set<String>
    private var known: [Int64: Set<String>] = [:]

    /// - Parameters:
    ///   - body: the record's stored form, from ``RecordBody/json()``.
    init(_ body: JSONObject, of type: RecordType) {
        fields = body["fields"]?.object ?? JSONObject()
        let position = type.dropped.isEmpty ? 0 : body["recordChangeTag"]?.string.flatMap(ChangeTag.position) ?? 0
        gone = Set(type.dropped.filter { position <= $0.value }.keys)
    }

    /// Returns true if the record has all of the search's words, or any, as the search requires. Different words may match in
    /// different fields.
    mutating func matches(_ search: ResolvedQuery.Search) -> Bool {
        let fields = search.fields.map { words(of: $0) }
        let isThere = { (word: String) in fields.contains { $0.contains(word) } }
        return search.needsAll ? search.words.allSatisfy(isThere) : search.words.contains(where: isThere)
    }

    private mutating func words(of field: FieldDefinition) -> Set<String> {
        if let words = known[field.id] { return words }
        let words = gone.contains(field.name) ? [] : Set(TextSet.words(fields[field.name]))
        known[field.id] = words
        return words
    }
}
