import CloudModel
import CloudSQL

/// Words that records get and lose, written once for a group.
final class WordPart: TransactionPart {
    private var buffer = Undoable(WordBuffer())
    private var sets = TextSets()

    /// Of the records of a type, as the schema is now; nil where no words are kept.
    func set(of type: RecordType, _ catalog: Catalog, _ db: SQLConnection) throws -> TextSet? {
        try sets.current(type, catalog, db)
    }

    func add(_ tokens: String, to record: Int64, _ db: SQLConnection) throws {
        buffer.now.add(tokens, to: record)
        if buffer.now.isFull { try buffer.now.flush(db) }
    }

    /// - Parameter fields: those that the record has had.
    func remove(of record: Int64, _ fields: JSONObject, set: Int64, zone: Int64, _ db: SQLConnection) throws {
        guard let tokens = try sets.find(set, db)?.tokens(of: fields, zone: zone) else { return }
        buffer.now.remove(tokens, from: record)
        if buffer.now.isFull { try buffer.now.flush(db) }
    }

    /// Takes out the words of a record whose fields are damaged, which takes as long as the index is large.
    func removeUnknown(of record: Int64, _ db: SQLConnection) throws {
        try buffer.now.flush(db)
        try db.dialect.words.removeUnknown(of: record, db)
    }

    func begin() { buffer.begin() }

    /// Makes what the group had waiting and this request wrote wait again.
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
    private var words: WordPart { part() }

    /// Of the records of a type, as the schema is now; nil where no words are kept.
    func textSet(of type: RecordType) throws -> TextSet? { try words.set(of: type, catalog, db) }

    func writeWords() throws { try words.flush(db) }

    func add(words tokens: String, to record: Int64) throws { try words.add(tokens, to: record, db) }

    /// Takes out the words of a record whose fields are damaged.
    func removeUnknownWords(of record: Int64) throws { try words.removeUnknown(of: record, db) }

    /// - Parameter fields: those that the record has had.
    func removeWords(of record: Int64, _ fields: JSONObject, set: Int64, zone: Int64) throws {
        try words.remove(of: record, fields, set: set, zone: zone, db)
    }
}
