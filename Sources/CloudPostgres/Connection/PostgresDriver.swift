import CPostgres
import CloudEngine
import CloudModel
package import CloudSQL
import Foundation

/// Statements on one PostgreSQL connection, which reconnects for the next transaction after a loss.
package final class PostgresDriver: SQLDriver, SQLSharing {
    /// Settings for a connection's transactions.
    struct Transactions: Sendable {
        /// The row locked by a separate statement at the start of a writing transaction: writers run in turn, and each
        /// sees all earlier commits.
        var row: LockedRow?
        /// The time without a response after which a statement fails; nil for the server's limit.
        var answerTime: Duration?
    }

    private static let beginWriting = "BEGIN ISOLATION LEVEL READ COMMITTED"
    private static let beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    private let server: PostgresServer
    private let schema: String
    private let transactions: Transactions
    private(set) var link: PostgresHandle?
    private var statements = PostgresStatements()
    private let writesSoFar: SchemaWrites
    private var plans = PlanAge()
    /// The running statement, whose remaining rows are buffered when another statement needs the connection.
    private var running: RunningStatement?
    /// True during a transaction, even if its connection was lost.
    private var hasBegun = false
    /// True if a read transaction begins with its first statement.
    private var isBeginning = false
    /// True if the last transaction may write.
    private var writes = true
    /// See ``PostgresLimits/idleTime``.
    private var idleTime: Duration
    package private(set) var writers: WritingGroups?
    package private(set) var lastChanges = 0
    package private(set) var totalChanges = 0

    /// See ``PostgresHandle/mustEnd``.
    var mustEnd: (() -> Bool)? { didSet { link?.mustEnd = mustEnd } }

    init(_ server: PostgresServer, schema: String, _ transactions: Transactions = Transactions()) {
        self.server = server
        self.schema = schema
        self.transactions = transactions
        writesSoFar = server.writes(of: schema)
        idleTime = server.limits.idleTime
    }

    package var sharing: (any SQLSharing)? { self }
    package var dialect: any SQLDialect { PostgresDialect() }
    package var preparedToOrder: Int { statements.preparedToOrder }

    package var isInsideTransaction: Bool {
        if isBeginning { return true }
        guard let link, link.isOpen else { return false }
        // A failed transaction can still roll back to a savepoint.
        return [PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE].contains(link.transactionStatus)
    }

    package func script(_ sql: String) throws {
        do { try run(sql) } catch let error as SQLError { throw passing(error) }
    }

    package func each(
        _ sql: String, _ values: [SQLValue], isMadeToOrder: Bool, _ body: (SQLRow) throws -> Bool
    ) throws {
        do {
            if let step = TransactionStep(sql) { return try take(step) }
            try run(sql, values, isMadeToOrder: isMadeToOrder, body)
        } catch let error as SQLError { throw passing(error) }
    }

    /// Writes all rows in one round trip.
    package func write(_ batch: [DeferredRows]) throws {
        do {
            let link = try open()
            let calls = try batch.flatMap { try statements.calls($0, on: link) }
            do { for changes in try link.runAll(calls) { note(changes) } } catch {
                if error.kind == .aborted, let sql = error.sql { statements.forget(sql) }
                throw error
            }
        } catch let error as SQLError { throw passing(error) }
    }

    /// Turns a temporary error into an error that the caller may retry.
    private func passing(_ error: SQLError) -> any Error {
        leaveIfDoomed()
        return switch error.kind {
        case .unusable: ServerError(.tryAgainLater, "the database cannot be reached", .server(.database), retryAfter: 2)
        // A write in a read transaction is a fault of the program.
        case .readOnly where writes:
            ServerError(
                .tryAgainLater, "the database is read-only for now; try again", .server(.database), retryAfter: 2)
        case .busy: ServerError(.tryAgainLater, "the database takes too long", .server(.database), retryAfter: 1)
        case .gone: ServerError.tableGone
        default: error
        }
    }

    /// Closes a session that can do no more work, so that the next transaction finds a usable host.
    private func leaveIfDoomed() {
        guard let link, link.isDoomed || link.hasRefusedWrite && writes else { return }
        if link.wasIdle { idleTime = min(idleTime * 2, longestAnswer) }
        link.close()
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
            // An error of the caller leaves the connection usable.
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

    /// Runs the first statement of a read transaction, in one round trip with BEGIN.
    private func startFirst(_ sql: String, _ values: [SQLValue], _ isMadeToOrder: Bool) throws -> RunningStatement {
        isBeginning = false
        defer { hasBegun = true }
        return try evenIfCut { try start(sql, values, isMadeToOrder, after: Self.beginReading) }
    }

    /// Retries `begin` once if it fails quickly on a connection that was cut while idle.
    private func evenIfCut<T>(_ begin: () throws -> T) throws -> T {
        let start = ContinuousClock.now
        do { return try begin() } catch {
            leaveIfDoomed()
            guard link?.isOpen == false, start.duration(to: .now) < server.limits.connectTime else { throw error }
            return try begin()
        }
    }

    private func note(_ changes: Int?) {
        guard let changes else { return }
        lastChanges = changes
        totalChanges += changes
    }

    /// The connection, ready for a statement.
    ///
    /// - Throws: when the connection was lost within a transaction, because later statements must not run outside it.
    private func open() throws -> PostgresHandle {
        try running?.keepRest()
        running = nil
        if isBeginning {
            isBeginning = false
            try begin(Self.beginReading)
            writes = false
        }
        if let link, link.isOpen {
            guard server.hosts.isLeft(link) else { return link }
            link.close()
        }
        guard !hasBegun else { throw SQLError(.unusable, "the connection was lost within the transaction") }
        link = nil
        let link = try server.connect(answerTime: longestAnswer)
        try link.script(session)
        link.mustEnd = mustEnd
        statements = PostgresStatements()
        plans = PlanAge(writes: writesSoFar.count)
        self.link = link
        return link
    }

    /// The time without a response after which a statement fails.
    var longestAnswer: Duration { transactions.answerTime ?? server.limits.answerTime }

    /// Statements that set up a session. The store's SQL names no schema, and no PostgreSQL objects except
    /// built-in functions.
    private var session: String {
        let longest = longestAnswer.pollTime
        let idle = transactions.row == nil ? longest : min(idleTime.pollTime, longest)
        return """
            SET search_path = "\(schema)"; SET client_connection_check_interval = '1s'; \
            SET idle_in_transaction_session_timeout = '\(idle)ms'; SET statement_timeout = '\(longest)ms'; SET jit = off
            """
    }

    /// Runs PostgreSQL statements without values.
    @discardableResult
    func run(_ sql: String) throws -> PostgresResult? { try script { _ in sql } }

    /// - Parameter sql: makes the SQL for the connection in use.
    @discardableResult
    private func script(_ sql: (PostgresHandle) -> String) throws -> PostgresResult? {
        do {
            let link = try open()
            return try link.script(sql(link))
        } catch {
            leaveIfDoomed()
            throw error
        }
    }

    /// A string literal with doubled quotes.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    var isConnected: Bool { link != nil }

    /// Disconnects from the server.
    func close() {
        link?.close()
        link = nil
    }

    // MARK: Transactions

    /// Begins a transaction, after reconnecting if needed.
    func begin(_ sql: String) throws { try begin { _ in sql } }

    @discardableResult
    private func begin(_ sql: (PostgresHandle) -> String) throws -> PostgresResult? {
        hasBegun = false
        writes = true
        writers = nil
        let answer = try evenIfCut { try script(sql) }
        hasBegun = true
        return answer
    }

    /// - Parameters:
    ///   - group: the new group's id.
    ///   - answer: the response of the lock statement.
    private func note(_ group: Int64, _ answer: PostgresResult?) {
        let noted = answer?.text(1).flatMap { Int64($0) }
        writers = WritingGroups(
            current: group, last: answer?.text(0).flatMap { Int64($0) },
            isAnotherHistory: history != nil && noted != history)
    }

    package var history: Int64? { link?.history?.number }

    package func keepHistory() throws {
        guard let row = transactions.row, let history else { return }
        try run(row.keep(history))
    }

    /// Commits the transaction.
    ///
    /// - Throws: the database's error after a refused COMMIT, or after a lost COMMIT with unknown outcome.
    private func commit() throws {
        let answer: PostgresResult?
        do {
            answer = try run("COMMIT")
            // A warning about standbys, or an abandoned host, means that the commit may still be lost.
            if let link, link.isWarned || server.hosts.isLeft(link) { link.close() }
        } catch {
            guard link?.isOpen != true else { throw error }
            answer = nil
        }
        guard link?.isOpen == true else { return try findCommit() }
        hasBegun = false
        // Only the command tag tells that COMMIT rolled back a failed transaction.
        guard answer?.command == "COMMIT" else { throw SQLError(.aborted, "the transaction was rolled back") }
    }

    /// Finds the outcome of an unanswered COMMIT in the locked row.
    private func findCommit() throws {
        guard let row = transactions.row, let writers else {
            throw SQLError(.unusable, "the connection was lost at the commit")
        }
        try LostCommit(server: server, schema: schema, row: row, group: writers.current, last: writers.last).find()
        hasBegun = false
    }

    private func take(_ step: TransactionStep) throws {
        switch step {
        case .begin(let writes):
            if writes { writesSoFar.note() }
            // The following BEGIN reports a lost connection.
            if plans.mustRenew(writes: writesSoFar.count), link?.isOpen == true { _ = try? run("DISCARD PLANS") }
            guard writes else {
                hasBegun = false
                isBeginning = true
                self.writes = false
                writers = nil
                return
            }
            guard let row = transactions.row else {
                try begin(Self.beginWriting)
                return
            }
            let group = Int64.random(in: 1 ... .max)
            // One round trip, but separate statements: the lock gets its own snapshot.
            note(group, try begin { Self.beginWriting + "; " + row.lock(for: group, $0.history?.number) })
        case .commit where !writes:
            if !isBeginning { try open().sendAhead("COMMIT") }
            (isBeginning, hasBegun, self.writes) = (false, false, true)
        case .commit: try commit()
        case .rollBack:
            hasBegun = false
            if !isBeginning { try run("ROLLBACK") }
            (isBeginning, writes) = (false, true)
        case .savepoint(let sql): try run(sql)
        }
    }
}
