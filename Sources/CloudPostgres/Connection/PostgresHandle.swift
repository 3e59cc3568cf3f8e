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

    /// Milliseconds between two questions of ``mustEnd``, and between two looks whether the host was left.
    private static let (interval, look) = (Int32(20), Int32(250))
    /// The time without a word after which the hosts are asked whether they are there.
    private static let patience = Duration.seconds(2)

    /// The host that the session is with, and when it began.
    let host: PostgresHost
    let began = ContinuousClock.now
    /// The history that the database is in; nil where the server does not tell, and on a standby.
    private(set) var history: PostgresHistory?
    /// Whether the server has ended the session because a transaction was idle.
    private(set) var wasIdle = false
    /// Whether the server has warned since the last statement was sent.
    private(set) var isWarned = false
    private weak let hosts: PostgresHosts?

    /// - Parameters:
    ///   - url: a connection string or URL, as libpq takes it.
    ///   - host: the one of its hosts that is meant.
    ///   - hosts: asked about the host while an answer does not come.
    ///   - place: held as long as the connection is.
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

    /// Lets go of the socket at once, whatever the server does.
    func close() {
        guard isOpen else { return }
        isOpen = false
        shutdown(PQsocket(connection), Int32(SHUT_RDWR))
    }

    /// An end that was sent ahead counts as one.
    var transactionStatus: PGTransactionStatusType { isOwedAnswer ? PQTRANS_IDLE : PQtransactionStatus(connection) }

    // MARK: The server

    /// Whether the server is a standby, as it tells of itself.
    var isStandby: Bool { isOn("in_hot_standby") }
    /// Whether it takes no writes unless a transaction asks for that.
    var isReadOnly: Bool { isOn("default_transaction_read_only") }

    private func isOn(_ parameter: String) -> Bool {
        PQparameterStatus(connection, parameter).map { String(cString: $0) == "on" } ?? false
    }

    /// Asks in which history the database is.
    ///
    /// - Throws: when there is no answer; a server that has no such functions, or keeps them to itself, does not tell.
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

    /// The name of a piece of the log begins with its timeline, which the control file learns of only later.
    private static let historyQuestion = """
        SELECT CAST(system_identifier AS TEXT),
            CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END
        FROM pg_control_system()
        """

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
            hosts?.noteWord(of: host)
            if result.isError { note(result.state) }
            if PQstatus(connection) == CONNECTION_BAD { throw lost() }
            return result
        }
    }

    private func note(_ state: String) {
        if state == "25P03" { wasIdle = true }
        if state == "25006" { hasRefusedWrite = true }
        // The server is being shut down, or has ended the session because it was idle.
        if ["25P03", "57P01", "57P02", "57P03", "57P05"].contains(state) { isDoomed = true }
    }

    /// Whether an error has told that the server has ended the session, or is about to.
    private(set) var isDoomed = false
    /// Whether the last statement was refused because the transaction is read-only.
    private(set) var hasRefusedWrite = false

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
        (isWarned, hasRefusedWrite) = (false, false)
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
    /// - Throws: when the time is over, the host was left, or nobody wants the answer any more; the connection is closed
    ///   then.
    private func wait(for events: Int32, until end: ContinuousClock.Instant) throws(SQLError) -> Bool {
        let start = ContinuousClock.now
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else {
                close()
                throw SQLError(.unusable, "the database has not answered in time")
            }
            let count = poll(&descriptor, 1, min(left.pollTime, mustEnd == nil ? Self.look : Self.interval))
            if count > 0 { return descriptor.revents & Int16(POLLOUT) == 0 || descriptor.revents & Int16(POLLIN) != 0 }
            guard count == 0 || errno == EINTR else { throw lost() }
            try endUnlessWanted()
            let isLong = start.duration(to: .now) > Self.patience
            if isLong { hosts?.surveySoon() }
            if hosts?.isLeft(self, isWaiting: !isLong) == true {
                close()
                throw SQLError(.unusable, "\(host) does not answer, or another host was promoted in its place")
            }
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
