import CloudModel
import CloudSQL

/// A changed record for matching with subscriptions: each query is evaluated once, the body parsed once. A bad query or a
/// damaged record cannot fail the change.
struct WatchedRecord {
    let change: RecordChange
    let transaction: WriteTransaction
    private var answers: [[UInt8]: Bool] = [:]
    private var body: JSONObject?
    private var words: RecordWords?
    private var db: SQLConnection { transaction.db }

    init(_ change: RecordChange, _ transaction: WriteTransaction) {
        self.change = change
        self.transaction = transaction
    }

    /// The record's fields in the current transaction.
    mutating func fields() throws -> JSONObject { try parsed()["fields"]?.object ?? JSONObject() }

    /// Returns whether the query matches the record, and the cost in points of ``NotificationBudget``.
    mutating func matches(_ query: [UInt8]) throws -> (Bool, cost: Int) {
        if let known = answers[query] { return (known, NotificationBudget.Cost.candidate) }
        let compiled = transaction.db.preparedToOrder
        let resolved = transaction.subscribers.queries.resolve(query, zone: change.zoneID, catalog: transaction.catalog)
        let answer = try resolved.map { try matches($0) } ?? false
        answers[query] = answer
        let cost =
            NotificationBudget.Cost.question + query.count / NotificationBudget.Cost.bytes
            + (transaction.db.preparedToOrder - compiled) * NotificationBudget.Cost.statement
        return (answer, cost)
    }

    private mutating func matches(_ query: ResolvedQuery) throws -> Bool {
        for search in query.searches where try !matches(search) { return false }
        if query.filters.isEmpty && query.nearnesses.isEmpty { return true }
        let conditions = QueryConditions(query, zone: change.zone, record: change.record, db.dialect)
        var isFound = false
        try db.each(
            "SELECT 1 FROM \(SchemaTables.table(change.type)) v WHERE \(conditions.all.sql)", conditions.all.values,
            isMadeToOrder: true
        ) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    private mutating func matches(_ search: ResolvedQuery.Search) throws -> Bool {
        var words = try self.words ?? RecordWords(parsed(), of: change.type)
        defer { self.words = words }
        return words.matches(search)
    }

    private mutating func parsed() throws -> JSONObject {
        if let body { return body }
        // Treat a damaged record as a record without fields.
        let parsed = (try? RecordTable.body(of: change.record, db).json()) ?? JSONObject()
        body = parsed
        return parsed
    }
}
