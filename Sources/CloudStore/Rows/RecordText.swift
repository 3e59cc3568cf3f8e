import CloudSQL
/// A record's words as they are kept: which fields they are from, and the tokens; both nil where it has none.
struct RecordText {
    let set: SQLValue
    let tokens: String?

    init(_ row: RecordTable.Row, _ transaction: WriteTransaction) throws {
        tokens = TextSet.tokens(row.content.words, zone: row.zone)
        set = tokens == nil ? .null : try transaction.textSet(of: row.type).map { .integer($0.id) } ?? .null
    }
}
