import CPostgres
import CloudModel
package import CloudSQL
import Foundation

/// Statements on one connection to PostgreSQL, which is made anew for the next transaction when it was lost.
package final class PostgresDriver: SQLDriver {
    /// The driver's handling of a connection's transactions.
    struct Transactions: Sendable {
        /// Run by itself right after the beginning of one that writes: with a row that every writer locks first, they
        /// come one after the other, and each sees what the one before it has committed.
        var lock: String?
        /// The time without an answer in which a statement is given up; that of the server when nil.
        var answerTime: Duration?
    }

    private static let beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    /// The pause between two questions about a commit that is still going on.
    private static let commitPause: useconds_t = 20_000

    private let server: PostgresServer
    private let schema: String
    private let transactions: Transactions
    private(set) var link: PostgresHandle?
    private var statements = PostgresStatements()
    private let writesSoFar: SchemaWrites
    private var plans = PlanAge()
    /// Rows that the running statement has still to give, once another needs the connection.
    private var running: RunningStatement?
    /// Whether a transaction was begun that nobody has ended, though its connection may be lost.
    private var hasBegun = false
    /// Whether a transaction that only reads is to begin with its first statement.
    private var isBeginning = false
    /// Whether the transaction that was begun last may write.
    private var writes = true
    /// The id of the transaction that writes, by which its end can be asked for.
    private var transactionID: String?
    package private(set) var writers: TransactionNumbers?
    package private(set) var lastChanges = 0
    package private(set) var totalChanges = 0

    /// See ``PostgresHandle/mustEnd``.
    var mustEnd: (() -> Bool)? { didSet { link?.mustEnd = mustEnd } }

    init(_ server: PostgresServer, schema: String, _ transactions: Transactions = Transactions()) {
        self.server = server
        self.schema = schema
        self.transactions = transactions
        writesSoFar = server.writes(of: schema)
    }

    package var dialect: any SQLDialect { PostgresDialect() }
    package var preparedToOrder: Int { statements.preparedToOrder }

    package var isInsideTransaction: Bool {
        if isBeginning { return true }
        guard let link, link.isOpen else { return false }
        // What an error has ended can still be taken back to a savepoint.
        return [PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE].contains(link.transactionStatus)
    }

    package func hasTable(_ name: String) throws -> Bool {
        var isThere = false
        try each("SELECT to_regclass(?) IS NOT NULL", [.text(name.lowercased())], isMadeToOrder: false) {
            isThere = $0.bool(0)
            return false
        }
        return isThere
    }

    /// Statements that lay something out, in SQLite's words.
    package func script(_ sql: String) throws {
        do { for statement in Translations.script(sql) { try run(statement) } } catch let error as SQLError {
            throw Self.passing(error)
        }
    }

    package func each(
        _ sql: String, _ values: [SQLValue], isMadeToOrder: Bool, _ body: (SQLRow) throws -> Bool
    ) throws {
        do {
            if let step = TransactionStep(sql) { return try take(step) }
            try run(sql, values, isMadeToOrder: isMadeToOrder, body)
        } catch let error as SQLError { throw Self.passing(error) }
    }

    /// Writes all of them in one round trip to the server.
    package func write(_ batch: [DeferredRows]) throws {
        do {
            let link = try open()
            let calls = try batch.flatMap { try statements.calls($0, on: link) }
            do { for changes in try link.runAll(calls) { note(changes) } } catch {
                if error.kind == .aborted, let sql = error.sql { statements.forget(sql) }
                throw error
            }
        } catch let error as SQLError { throw Self.passing(error) }
    }

    /// Turns an error that will pass into one after which the caller may try again.
    private static func passing(_ error: SQLError) -> any Error {
        switch error.kind {
        case .unusable: ServerError(.tryAgainLater, "the database cannot be reached", .server(.database), retryAfter: 2)
        case .busy: ServerError(.tryAgainLater, "the database takes too long", .server(.database), retryAfter: 1)
        case .gone:
            ServerError(
                .tryAgainLater, "a table has gone, as when a schema change drops it; try again", .server(.database),
                retryAfter: 1)
        default: error
        }
    }

    private func run(
        _ sql: String, _ values: [SQLValue], isMadeToOrder: Bool, _ body: (SQLRow) throws -> Bool
    ) throws {
        let statement =
            isBeginning ? try startFirst(sql, values, isMadeToOrder) : try start(sql, values, isMadeToOrder)
        running = statement
        defer { if running === statement { running = nil } }
        do {
            while let row = try statement.next() {
                if try !body(row) { break }
            }
        } catch {
            // The caller's own error leaves the connection as it was.
            try statement.end()
            throw error
        }
        try statement.end()
        note(statement.changes)
    }

    private func start(
        _ sql: String, _ values: [SQLValue], _ isMadeToOrder: Bool, after begin: String? = nil
    ) throws -> RunningStatement {
        let link = try open()
        let call = try PostgresCall(statements.find(sql, isMadeToOrder: isMadeToOrder, on: link), values, sql)
        if let begin {
            try link.start(call.name, call.values, sql, after: begin)
        } else {
            try link.start(call.name, call.values, sql)
        }
        return RunningStatement(link, sql) { [unowned self] in statements.forget(sql) }
    }

    /// The first statement of a transaction that reads, with the beginning in one round trip.
    private func startFirst(_ sql: String, _ values: [SQLValue], _ isMadeToOrder: Bool) throws -> RunningStatement {
        isBeginning = false
        defer { hasBegun = true }
        return try evenIfCut { try start(sql, values, isMadeToOrder, after: Self.beginReading) }
    }

    /// Tries again what a connection that was cut while nobody used it fails at once.
    private func evenIfCut<T>(_ begin: () throws -> T) throws -> T {
        let start = ContinuousClock.now
        do { return try begin() } catch {
            guard link?.isOpen == false, start.duration(to: .now) < server.limits.connectTime else { throw error }
            return try begin()
        }
    }

    private func note(_ changes: Int?) {
        guard let changes else { return }
        lastChanges = changes
        totalChanges += changes
    }

    /// The connection, with nothing running on it.
    ///
    /// - Throws: when it was lost within a transaction: what comes next must not run outside it.
    private func open() throws -> PostgresHandle {
        try running?.keepRest()
        running = nil
        if isBeginning {
            isBeginning = false
            try begin(Self.beginReading)
            writes = false
        }
        if let link, link.isOpen { return link }
        guard !hasBegun else { throw SQLError(.unusable, "the connection was lost within the transaction") }
        link = nil
        let answerTime = transactions.answerTime ?? server.limits.answerTime
        let link = try server.connect(answerTime: answerTime)
        let longest = answerTime / .milliseconds(1)
        // Statements of the store name neither schema nor anything of PostgreSQL's own but its functions.
        try link.script(
            """
            SET search_path = "\(schema)"; SET client_connection_check_interval = '1s'; \
            SET idle_in_transaction_session_timeout = '\(Int(longest))ms'; \
            SET statement_timeout = '\(Int(longest))ms'; SET jit = off
            """)
        link.mustEnd = mustEnd
        statements = PostgresStatements()
        plans = PlanAge(writes: writesSoFar.count)
        self.link = link
        return link
    }

    /// Statements of PostgreSQL's own, without values.
    @discardableResult
    func run(_ sql: String) throws -> PostgresResult? { try open().script(sql) }

    /// A text as a statement has it that takes no parameters.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    var isConnected: Bool { link != nil }

    /// Lets go of the server.
    func close() {
        link?.close()
        link = nil
    }

    // MARK: Transactions

    /// Begins a transaction, on a new connection if the last one was lost.
    @discardableResult
    func begin(_ sql: String) throws -> PostgresResult? {
        hasBegun = false
        writes = true
        let answer = try evenIfCut { try run(sql) }
        hasBegun = true
        return answer
    }

    /// Whether a transaction is on disk whose end was not told, because the connection was lost.
    ///
    /// - Parameter loss: thrown when it was undone, or does not get known in time.
    private func hasCommitted(after loss: any Error) throws -> Bool {
        guard let transactionID else { return false }
        let end = ContinuousClock.now + server.limits.answerTime
        while .now < end {
            let status = try? server.connect().script("SELECT pg_xact_status('\(transactionID)'::xid8)")?.firstText
            switch status {
            case "committed": return true
            case "aborted": return false
            default: usleep(Self.commitPause)
            }
        }
        return false
    }

    /// - Parameter answer: of the lock.
    private func noteWriters(_ answer: PostgresResult?) {
        transactionID = answer?.firstText
        guard let id = transactionID.flatMap({ UInt64($0) }), let last = answer?.text(1).flatMap({ Int64($0) }) else {
            return
        }
        // Rows have the lower half alone.
        writers = TransactionNumbers(current: Int64(UInt32(truncatingIfNeeded: id)), last: last)
    }

    private func take(_ step: TransactionStep) throws {
        switch step {
        case .begin(let writes):
            (transactionID, writers) = (nil, nil)
            if writes { writesSoFar.note() }
            // A connection that was cut is told of by the beginning.
            if plans.mustRenew(writes: writesSoFar.count), link?.isOpen == true { _ = try? run("DISCARD PLANS") }
            guard writes else {
                hasBegun = false
                isBeginning = true
                self.writes = false
                return
            }
            // Together in one round trip; the lock is a statement of its own all the same, with a snapshot of its own.
            let answer = try begin(
                "BEGIN ISOLATION LEVEL READ COMMITTED" + (transactions.lock.map { "; " + $0 } ?? ""))
            if transactions.lock != nil { noteWriters(answer) }
        case .commit where !writes:
            if !isBeginning { try open().sendAhead("COMMIT") }
            isBeginning = false
            hasBegun = false
        case .commit:
            let answer: PostgresResult?
            do { answer = try run("COMMIT") } catch {
                guard link?.isOpen != true, try hasCommitted(after: error) else { throw error }
                hasBegun = false
                return
            }
            hasBegun = false
            // A transaction that an error has ended is told so by the answer alone.
            guard answer?.command == "COMMIT" else { throw SQLError(.aborted, "the transaction was rolled back") }
        case .rollBack:
            hasBegun = false
            if !isBeginning { try run("ROLLBACK") }
            isBeginning = false
        case .savepoint(let sql): try run(sql)
        }
    }
}

/// Statements that begin, end or cut a transaction; they are never prepared.
private enum TransactionStep {
    case begin(writes: Bool)
    case commit, rollBack
    case savepoint(String)

    init?(_ sql: String) {
        switch sql {
        case "BEGIN IMMEDIATE", "BEGIN": self = .begin(writes: true)
        case "BEGIN DEFERRED": self = .begin(writes: false)
        case "COMMIT": self = .commit
        case "ROLLBACK": self = .rollBack
        case let sql where ["SAVEPOINT ", "ROLLBACK TO ", "RELEASE "].contains(where: sql.hasPrefix):
            self = .savepoint(sql)
        default: return nil
        }
    }
}
