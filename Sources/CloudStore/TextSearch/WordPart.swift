import CloudModel
import CloudSQL

/// Added and removed words of records, written once per group.
final class WordPart: TransactionPart {
    private var buffer = Undoable(WordBuffer())
    private var sets = TextSets()

    /// The text set for a type's current fields; nil for a type without indexed words.
    func set(of type: RecordType, _ catalog: Catalog, _ db: SQLConnection) throws -> TextSet? {
        try sets.current(type, catalog, db)
    }

    func add(_ tokens: String, to record: Int64, _ db: SQLConnection) throws {
        buffer.now.add(tokens, to: record)
        if buffer.now.isFull { try buffer.now.flush(db) }
    }

    /// - Parameter fields: the record's old fields.
    func remove(of record: Int64, _ fields: JSONObject, set: Int64, zone: Int64, _ db: SQLConnection) throws {
        guard let tokens = try sets.find(set, db)?.tokens(of: fields, zone: zone) else { return }
        buffer.now.remove(tokens, from: record)
        if buffer.now.isFull { try buffer.now.flush(db) }
    }

    /// Removes the words of a record with damaged fields by a scan of the whole index.
    func removeUnknown(of record: Int64, _ db: SQLConnection) throws {
        try buffer.now.flush(db)
        try db.dialect.words.removeUnknown(of: record, db)
    }

    func begin() { buffer.begin() }

    /// Restores the buffer from before the request, including words that the request has flushed.
    func undo() {
        buffer.undo()
        sets = TextSets()
    }

    func keep() { buffer.keep() }
    func flush(_ db: SQLConnection) throws { try buffer.now.flush(db) }
    func committed() {}

    func lost(_ db: SQLConnection) {
        buffer.reset(to: WordBuffer())
        sets = TextSets()
    }
}

extension WriteTransaction {
    var words: WordWrites { WordWrites(transaction: self) }
}

/// The indexed words of written records.
struct WordWrites {
    let transaction: WriteTransaction
    private var part: WordPart { transaction.part() }

    /// The text set for a type's current fields; nil for a type without indexed words.
    func textSet(of type: RecordType) throws -> TextSet? { try part.set(of: type, transaction.catalog, transaction.db) }

    /// Writes buffered words.
    func flush() throws { try part.flush(transaction.db) }

    func add(_ tokens: String, to record: Int64) throws { try part.add(tokens, to: record, transaction.db) }

    /// Removes the words of a record with damaged fields.
    func removeUnknown(of record: Int64) throws { try part.removeUnknown(of: record, transaction.db) }

    /// - Parameter fields: the record's old fields.
    func remove(of record: Int64, _ fields: JSONObject, set: Int64, zone: Int64) throws {
        try part.remove(of: record, fields, set: set, zone: zone, transaction.db)
    }
}
