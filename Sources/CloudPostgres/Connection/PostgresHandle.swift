import CPostgres
import CloudSQL
import Foundation

/// A server socket with bounded waits. Used by one thread at a time.
///
/// libpq never blocks: each wait is a `poll` with a time limit, because keepalives do not detect a stopped server or a
/// host that still acknowledges packets.
final class PostgresHandle {
    /// Polled while the server works; true cancels the wait.
    var mustEnd: (() -> Bool)?

    private let connection: OpaquePointer
    private let limits: PostgresLimits
    private let place: PostgresServer.Place?
    private(set) var isOpen = true
    /// True if a response has been left unread.
    private var isOwedAnswer = false
    /// True if the running statement was sent in a pipeline.
    private var isTogether = false

    /// The times between calls of ``mustEnd``, and between checks for an abandoned host.
    private static let (interval, look) = (Duration.milliseconds(20), Duration.milliseconds(250))
    /// The time without a response after which all hosts are surveyed.
    private static let patience = Duration.seconds(2)

    /// The session's host and start time.
    let host: PostgresHost
    let began = ContinuousClock.now
    /// The database's history; nil on a standby, or without access to the history.
    private(set) var history: PostgresHistory?
    /// True if the server ended the session because of an idle transaction.
    private(set) var wasIdle = false
    /// True if the server has sent a warning since the last statement.
    private(set) var isWarned = false
    private weak let hosts: PostgresHosts?

    /// - Parameters:
    ///   - url: a libpq connection URL or string.
    ///   - host: the URL's host to connect to.
    ///   - hosts: checked for the host's state during long waits.
    ///   - place: the connection slot, held until this object is freed.
    init(
        url: String, host: PostgresHost, limits: PostgresLimits, hosts: PostgresHosts,
        place: PostgresServer.Place? = nil
    ) throws(ConnectionStart.Failure) {
        connection = try ConnectionStart.run(url, host, within: limits.connectTime)
        self.host = host
        self.hosts = hosts
        self.limits = limits
        self.place = place
        PQsetnonblocking(connection, 1)
        let own = Unmanaged.passUnretained(self).toOpaque()
        PQsetNoticeReceiver(
            connection,
            { own, result in
                // PG_DIAG_SEVERITY_NONLOCALIZED, a character constant.
                guard let own, let field = PQresultErrorField(result, 86), String(cString: field) == "WARNING" else {
                    return
                }
                Unmanaged<PostgresHandle>.fromOpaque(own).takeUnretainedValue().isWarned = true
            }, own)
    }

    deinit { PQfinish(connection) }

    /// Shuts the socket down at once, without waiting for the server.
    func close() {
        guard isOpen else { return }
        isOpen = false
        shutdown(PQsocket(connection), Int32(SHUT_RDWR))
    }

    /// Idle after ``sendAhead(_:)``: an unanswered end counts as done.
    var transactionStatus: PGTransactionStatusType { isOwedAnswer ? PQTRANS_IDLE : PQtransactionStatus(connection) }

    // MARK: The server

    /// True if the server reports itself as a standby.
    var isStandby: Bool { isOn("in_hot_standby") }
    /// True if transactions are read-only by default.
    var isReadOnly: Bool { isOn("default_transaction_read_only") }

    private func isOn(_ parameter: String) -> Bool {
        PQparameterStatus(connection, parameter).map { String(cString: $0) == "on" } ?? false
    }

    /// Reads the database's history.
    ///
    /// - Throws: when the connection fails; a server without access to these functions leaves the history nil.
    func findHistory() throws(SQLError) {
        let answer: PostgresResult?
        do throws(SQLError) { answer = try script(Self.historyQuestion) } catch {
            guard isOpen, PQstatus(connection) == CONNECTION_OK else { throw error }
            return
        }
        guard let system = answer?.text(0), let timeline = answer?.text(1).flatMap({ UInt32($0, radix: 16) })
        else { return }
        history = PostgresHistory(system: system, timeline: timeline)
    }

    /// Log file names begin with the timeline; the control file is updated only later.
    private static let historyQuestion = """
        SELECT CAST(system_identifier AS TEXT),
            CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END
        FROM pg_control_system()
        """

    // MARK: Statements

    /// Runs statements without values and reads all responses.
    ///
    /// - Returns: the last response.
    @discardableResult
    func script(_ sql: String) throws(SQLError) -> PostgresResult? {
        try send(sql) { PQsendQuery(connection, sql) }
        return try readAll(sql)
    }

    /// Sends the end of a read transaction without waiting; the next statement reads the response.
    func sendAhead(_ sql: String) throws(SQLError) {
        try send(sql) { PQsendQuery(connection, sql) }
        isOwedAnswer = true
    }

    private func takeOwedAnswer() throws(SQLError) {
        guard isOwedAnswer else { return }
        isOwedAnswer = false
        try readAll(nil)
    }

    /// Prepares a named statement.
    ///
    /// - Returns: the server's description of parameters and columns.
    func prepare(_ sql: String, as name: String) throws(SQLError) -> PostgresResult {
        try send(sql) { PQsendPrepare(connection, name, sql, 0, nil) }
        try readAll(sql)
        try send(sql) { PQsendDescribePrepared(connection, name) }
        guard let description = try readAll(sql) else { throw lost() }
        return description
    }

    /// Starts a prepared statement; ``next(_:)`` gives its rows one by one.
    ///
    /// - Parameter values: binary values; nil for NULL.
    func start(_ name: String, _ values: [[UInt8]?], _ sql: String) throws(SQLError) {
        try send(sql) { queue(name, values) }
        PQsetSingleRowMode(connection)
    }

    /// Starts a prepared statement, in one pipeline with the beginning of its transaction.
    ///
    /// - Parameter begin: SQL without values.
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
        // All values in one buffer, which stays in place while libpq copies it.
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

    /// Runs statements in one pipeline, with a single wait for all responses.
    ///
    /// - Returns: the number of changed rows per statement.
    /// - Throws: the first failed statement's error; later statements have not run.
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

    /// The next response; nil at the end.
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
            var time = SocketWait(limits.answerTime)
            while PQisBusy(connection) != 0 {
                if try wait(for: POLLIN, &time), PQconsumeInput(connection) == 0 { throw lost() }
            }
            guard let result = PQgetResult(connection).map(PostgresResult.init) else { return nil }
            hosts?.noteWord(of: host)
            if result.isError { note(result.state) }
            if PQstatus(connection) == CONNECTION_BAD { throw lost() }
            return result
        }
    }

    private func note(_ state: String) {
        if state == "25P03" { wasIdle = true }
        if state == "25006" { hasRefusedWrite = true }
        // The server is shutting down, or has ended the idle session.
        if ["25P03", "57P01", "57P02", "57P03", "57P05"].contains(state) { isDoomed = true }
    }

    /// True if an error announced the end of the session.
    private(set) var isDoomed = false
    /// True if the last statement was refused in a read-only transaction.
    private(set) var hasRefusedWrite = false

    /// Reads the remaining responses.
    ///
    /// - Returns: the last response.
    /// - Throws: the first error, after reading all responses.
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
        (isWarned, hasRefusedWrite) = (false, false)
        try withExtendedLifetime(self) { () throws(SQLError) in
            guard call() == 1 else { throw lost() }
            var time = SocketWait(limits.answerTime)
            while true {
                let left = PQflush(connection)
                if left == 0 { return }
                // A server with pending output may stop reading until the output is consumed.
                guard left > 0, try !wait(for: POLLIN | POLLOUT, &time) || PQconsumeInput(connection) == 1
                else { throw lost() }
            }
        }
    }

    // MARK: News

    /// NOTIFY payloads, received before or within a time limit.
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

    /// - Returns: whether input is available.
    /// - Throws: on timeout, on an abandoned host, and on cancellation, after closing the connection.
    private func wait(for events: Int32, _ time: inout SocketWait) throws(SQLError) -> Bool {
        let start = ContinuousClock.now
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        while true {
            let count = time.poll(&descriptor, slice: mustEnd == nil ? Self.look : Self.interval)
            if count > 0 { return descriptor.revents & Int16(POLLOUT) == 0 || descriptor.revents & Int16(POLLIN) != 0 }
            guard count == 0 || errno == EINTR else { throw lost() }
            guard !time.isOver else {
                close()
                throw SQLError(.unusable, "the database has not answered in time")
            }
            try endUnlessWanted()
            let isLong = start.duration(to: .now) > Self.patience
            if isLong { hosts?.surveySoon() }
            if hosts?.isLeft(self, isWaiting: !isLong) == true {
                close()
                throw SQLError(.unusable, "\(host) does not answer, or another host was promoted in its place")
            }
        }
    }

    /// - Throws: when ``mustEnd`` asks for cancellation.
    func endUnlessWanted() throws(SQLError) {
        guard let mustEnd, mustEnd() else { return }
        // The server notices the closed connection and stops the statement (client_connection_check_interval).
        close()
        throw SQLError(.interrupted, "the statement was ended")
    }

    private func lost() -> SQLError {
        let message = String(cString: PQerrorMessage(connection)).trimmed
        close()
        return SQLError(.unusable, message)
    }
}
