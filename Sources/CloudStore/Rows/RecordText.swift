import CloudSQL
/// A record's words for the index: the id of their text set, and the tokens; both nil without words.
struct RecordText {
    let set: SQLValue
    let tokens: String?

    init(_ row: RecordTable.Row, _ transaction: WriteTransaction) throws {
        tokens = TextSet.tokens(row.content.words, zone: row.zone)
        set = tokens == nil ? .null : try transaction.words.textSet(of: row.type).map { .integer($0.id) } ?? .null
    }
}
