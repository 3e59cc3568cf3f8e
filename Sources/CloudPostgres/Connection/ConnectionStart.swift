import CPostgres
import CloudSQL
import Foundation

/// Connects to one address.
///
/// libpq tries further addresses only in its blocking calls, which have no usable time limit.
enum ConnectionStart {
    /// The reason of a failed connection.
    struct Failure: Error {
        /// True if the host did not respond in time or was unreachable.
        let isSilence: Bool
        let message: String

        var error: SQLError { SQLError(.unusable, message) }
    }

    private static let defaults = [
        ("application_name", "cumulus"), ("client_encoding", "UTF8"), ("keepalives_idle", "5"),
        ("keepalives_interval", "2"), ("keepalives_count", "2"), ("tcp_user_timeout", "5000"),
    ]

    /// URL parameters with one entry per host.
    private static let lists: Set = ["host", "hostaddr", "port"]

    /// - Parameters:
    ///   - url: a libpq connection URL or string.
    ///   - host: the URL's host to connect to.
    /// - Returns: a connection for `PQfinish`.
    static func run(_ url: String, _ host: PostgresHost, within time: Duration) throws(Failure) -> OpaquePointer {
        // Remove the URL's host lists: libpq ignores an empty port, and would apply the whole list to this host.
        let parts = (PostgresAddress.parts(of: url) ?? [:]).filter { !lists.contains($0.key) && !$0.value.isEmpty }
        // Later parameters override earlier ones of the same name.
        let parameters =
            defaults + parts.map { ($0.key, $0.value) } + host.parameters + [("target_session_attrs", "any")]
        guard let connection = start(parameters) else {
            throw Failure(isSilence: false, message: "there is no memory for a connection")
        }
        do throws(Failure) { try finish(connection, host, within: time) } catch {
            PQfinish(connection)
            throw error
        }
        return connection
    }

    private static func start(_ parameters: [(String, String)]) -> OpaquePointer? {
        let words = parameters.map { strdup($0.0) } + [nil]
        let values = parameters.map { strdup($0.1) } + [nil]
        defer { (words + values).forEach { free($0) } }
        return words.map { UnsafePointer($0) }.withUnsafeBufferPointer { words in
            values.map { UnsafePointer($0) }.withUnsafeBufferPointer {
                PQconnectStartParams(words.baseAddress, $0.baseAddress, 0)
            }
        }
    }

    /// System messages for an unreachable host. A host that refuses connections is reachable, so its sessions end by
    /// themselves.
    private static let noWay = ["No route to host", "Network is unreachable", "Connection timed out"]

    private static func finish(
        _ connection: OpaquePointer, _ host: PostgresHost, within time: Duration
    ) throws(Failure) {
        var time = SocketWait(time)
        var step = PGRES_POLLING_WRITING
        while step != PGRES_POLLING_OK {
            guard step != PGRES_POLLING_FAILED, PQstatus(connection) != CONNECTION_BAD else {
                let message = String(cString: PQerrorMessage(connection)).trimmed
                throw Failure(isSilence: Self.noWay.contains { message.contains($0) }, message: message)
            }
            let events = step == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard wait(for: events, on: PQsocket(connection), &time) else {
                throw Failure(isSilence: true, message: "\(host) has not answered in time")
            }
            step = PQconnectPoll(connection)
        }
    }

    private static let slice = Duration.milliseconds(250)

    private static func wait(for events: Int32, on socket: Int32, _ time: inout SocketWait) -> Bool {
        var descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
        while true {
            let count = time.poll(&descriptor, slice: slice)
            if count > 0 { return true }
            guard count == 0 || errno == EINTR, !time.isOver else { return false }
        }
    }
}
