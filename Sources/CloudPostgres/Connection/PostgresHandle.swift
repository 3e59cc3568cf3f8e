import CPostgres
import CloudSQL
import Foundation

/// A socket to the server, and what waits on it. Used by one thread at a time.
///
/// libpq never waits by itself here: each wait is a `poll` with an end of ours, since a server that has stopped, or a
/// host that still acknowledges, is not noticed by keepalives.
final class PostgresHandle {
    /// Asked while the server works, whether that is still wanted.
    var mustEnd: (() -> Bool)?

    private let connection: OpaquePointer
    private let limits: PostgresLimits
    private let place: PostgresServer.Place?
    private(set) var isOpen = true
    /// Whether an answer is to come that nobody has waited for.
    private var isOwedAnswer = false
    /// Whether the running statement was sent together with another.
    private var isTogether = false

    /// Milliseconds between two questions of ``mustEnd``.
    private static let interval: Int32 = 20

    /// - Parameters:
    ///   - url: a connection string or URL, as libpq takes it.
    ///   - place: held as long as the connection is.
    init(
        url: String, limits: PostgresLimits = PostgresLimits(), place: PostgresServer.Place? = nil
    ) throws(SQLError) {
        let defaults = [
            ("application_name", "cumulus"), ("client_encoding", "UTF8"), ("keepalives_idle", "5"),
            ("keepalives_interval", "2"), ("keepalives_count", "2"), ("tcp_user_timeout", "5000"),
            ("dbname", url),
        ]
        let words = defaults.map { strdup($0.0) } + [nil]
        let values = defaults.map { strdup($0.1) } + [nil]
        defer { (words + values).forEach { free($0) } }
        let started = words.map { UnsafePointer($0) }.withUnsafeBufferPointer { words in
            values.map { UnsafePointer($0) }.withUnsafeBufferPointer {
                PQconnectStartParams(words.baseAddress, $0.baseAddress, 1)
            }
        }
        guard let started else { throw SQLError(.full, "there is no memory for a connection") }
        connection = started
        self.limits = limits
        self.place = place
        try connect()
        PQsetnonblocking(connection, 1)
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
    }

    deinit { PQfinish(connection) }

    /// Lets go of the socket at once, whatever the server does.
    func close() {
        guard isOpen else { return }
        isOpen = false
        shutdown(PQsocket(connection), Int32(SHUT_RDWR))
    }

    /// An end that was sent ahead counts as one.
    var transactionStatus: PGTransactionStatusType { isOwedAnswer ? PQTRANS_IDLE : PQtransactionStatus(connection) }

    private func connect() throws(SQLError) {
        let end = ContinuousClock.now + limits.connectTime
        var step = PGRES_POLLING_WRITING
        while step != PGRES_POLLING_OK {
            guard step != PGRES_POLLING_FAILED, PQstatus(connection) != CONNECTION_BAD else { throw lost() }
            _ = try wait(for: step == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: end)
            step = PQconnectPoll(connection)
        }
    }

    // MARK: Statements

    /// Sends statements without values, and reads their answers to the end.
    ///
    /// - Returns: the last answer.
    @discardableResult
    func script(_ sql: String) throws(SQLError) -> PostgresResult? {
        try send(sql) { PQsendQuery(connection, sql) }
        return try readAll(sql)
    }

    /// Sends the end of a transaction that wrote nothing. Its answer is taken before the next statement: nobody need wait
    /// for it.
    func sendAhead(_ sql: String) throws(SQLError) {
        try send(sql) { PQsendQuery(connection, sql) }
        isOwedAnswer = true
    }

    private func takeOwedAnswer() throws(SQLError) {
        guard isOwedAnswer else { return }
        isOwedAnswer = false
        try readAll(nil)
    }

    /// Prepares a statement under a name.
    ///
    /// - Returns: what the server says of its parameters and columns.
    func prepare(_ sql: String, as name: String) throws(SQLError) -> PostgresResult {
        try send(sql) { PQsendPrepare(connection, name, sql, 0, nil) }
        try readAll(sql)
        try send(sql) { PQsendDescribePrepared(connection, name) }
        guard let description = try readAll(sql) else { throw lost() }
        return description
    }

    /// Starts a prepared statement, whose rows ``next(_:)`` gives one by one.
    ///
    /// - Parameter values: in binary; nil for NULL.
    func start(_ name: String, _ values: [[UInt8]?], _ sql: String) throws(SQLError) {
        try send(sql) { queue(name, values) }
        PQsetSingleRowMode(connection)
    }

    /// The same, sent together with the beginning of its transaction.
    ///
    /// - Parameter begin: without values.
    func start(_ name: String, _ values: [[UInt8]?], _ sql: String, after begin: String) throws(SQLError) {
        try takeOwedAnswer()
        guard isOpen, PQenterPipelineMode(connection) == 1 else { throw lost() }
        isTogether = true
        try send(sql) {
            guard PQsendQueryParams(connection, begin, 0, nil, nil, nil, nil, 0) == 1, queue(name, values) == 1
            else { return 0 }
            return PQpipelineSync(connection)
        }
        var error: SQLError?
        while let result = try nextResult() { if result.isError, error == nil { error = result.error(begin) } }
        if let error {
            while try next(sql) != nil {}
            throw error
        }
        PQsetSingleRowMode(connection)
    }

    private func queue(_ name: String, _ values: [[UInt8]?]) -> Int32 {
        // All in one place, which stays where it is while libpq copies it.
        let bytes = values.flatMap { value -> [UInt8] in value ?? [] } + [0]
        let sizes = values.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: values.count)
        return bytes.withUnsafeBytes { bytes in
            var place = bytes.baseAddress
            let starts = values.map { value -> UnsafePointer<CChar>? in
                defer { place = place?.advanced(by: value?.count ?? 0) }
                guard value != nil else { return nil }
                return place?.assumingMemoryBound(to: CChar.self)
            }
            return PQsendQueryPrepared(connection, name, Int32(values.count), starts, sizes, formats, 1)
        }
    }

    /// Sends statements together and reads their answers, which come in one wait.
    ///
    /// - Returns: the rows that each has changed.
    /// - Throws: what the server has against the first that fails; those after it have not run.
    func runAll(_ calls: [PostgresCall]) throws(SQLError) -> [Int] {
        try takeOwedAnswer()
        guard isOpen, PQenterPipelineMode(connection) == 1 else { throw lost() }
        try send("a pipeline") {
            for call in calls where queue(call.name, call.values) != 1 { return 0 }
            return PQpipelineSync(connection)
        }
        var changes: [Int] = []
        var error: SQLError?
        for call in calls {
            var count = 0
            while let result = try next(call.sql) {
                if result.isError, error == nil { error = result.error(call.sql) }
                count += result.changes ?? 0
            }
            changes.append(count)
        }
        try endPipeline()
        if let error { throw error }
        return changes
    }

    /// The next answer to what was sent; nil when there is no more.
    func next(_ sql: String?) throws(SQLError) -> PostgresResult? {
        if let result = try nextResult() { return result }
        guard isTogether else { return nil }
        isTogether = false
        try endPipeline()
        return nil
    }

    private func endPipeline() throws(SQLError) {
        guard try nextResult()?.status == PGRES_PIPELINE_SYNC, PQexitPipelineMode(connection) == 1 else { throw lost() }
    }

    private func nextResult() throws(SQLError) -> PostgresResult? {
        try withExtendedLifetime(self) { () throws(SQLError) in
            let end = ContinuousClock.now + limits.answerTime
            while PQisBusy(connection) != 0 {
                if try wait(for: POLLIN, until: end), PQconsumeInput(connection) == 0 { throw lost() }
            }
            guard let result = PQgetResult(connection).map(PostgresResult.init) else { return nil }
            if PQstatus(connection) == CONNECTION_BAD { throw lost() }
            return result
        }
    }

    /// Reads what is left of an answer.
    ///
    /// - Returns: its last part.
    /// - Throws: the first error in it, after all of it was read.
    @discardableResult
    func readAll(_ sql: String?) throws(SQLError) -> PostgresResult? {
        var last: PostgresResult?
        var error: SQLError?
        while let result = try next(sql) {
            if result.isError, error == nil { error = result.error(sql) }
            last = result
        }
        if let error { throw error }
        return last
    }

    private func send(_ sql: String, _ call: () -> Int32) throws(SQLError) {
        guard isOpen else { throw SQLError(.unusable, "the connection to the database is closed", sql: sql) }
        try takeOwedAnswer()
        try withExtendedLifetime(self) { () throws(SQLError) in
            guard call() == 1 else { throw lost() }
            let end = ContinuousClock.now + limits.answerTime
            while true {
                let left = PQflush(connection)
                if left == 0 { return }
                // A server that has an answer to give may read nothing more until it is taken.
                guard left > 0, try !wait(for: POLLIN | POLLOUT, until: end) || PQconsumeInput(connection) == 1
                else { throw lost() }
            }
        }
    }

    // MARK: News

    /// The messages of NOTIFY that have come, or come within a time.
    func notices(within time: Duration) throws(SQLError) -> [String] {
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        if poll(&descriptor, 1, Int32(time / .milliseconds(1))) > 0, PQconsumeInput(connection) == 0 { throw lost() }
        var texts: [String] = []
        while let notice = PQnotifies(connection) {
            texts.append(String(cString: notice.pointee.extra))
            PQfreemem(notice)
        }
        return texts
    }

    // MARK: Waiting

    /// - Returns: whether something can be read.
    /// - Throws: when the time is over, or nobody wants the answer any more; the connection is closed then.
    private func wait(for events: Int32, until end: ContinuousClock.Instant) throws(SQLError) -> Bool {
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else {
                close()
                throw SQLError(.unusable, "the database has not answered in time")
            }
            let milliseconds = Int32(clamping: left.components.seconds * 1000 + 1)
            let count = poll(&descriptor, 1, mustEnd == nil ? milliseconds : min(milliseconds, Self.interval))
            if count > 0 { return descriptor.revents & Int16(POLLOUT) == 0 || descriptor.revents & Int16(POLLIN) != 0 }
            guard count == 0 || errno == EINTR else { throw lost() }
            try endUnlessWanted()
        }
    }

    /// - Throws: when nobody wants what the server does.
    func endUnlessWanted() throws(SQLError) {
        guard let mustEnd, mustEnd() else { return }
        // The server ends the statement once it finds that nobody listens (client_connection_check_interval).
        close()
        throw SQLError(.interrupted, "the statement was ended")
    }

    private func lost() -> SQLError {
        let message = String(cString: PQerrorMessage(connection)).trimmed
        close()
        return SQLError(.unusable, message)
    }
}
