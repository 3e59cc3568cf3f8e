import CPostgres
import CloudModel
import CloudSQL
import Foundation
import Synchronization

/// The PostgreSQL server of an engine, with a limit on its connections.
///
/// After a failed connect, further attempts fail at once for a second.
final class PostgresServer: Sendable {
    private struct State {
        var count = 0
        var connections: [ObjectIdentifier: Weak] = [:]
        var writes: [String: SchemaWrites] = [:]
        /// The time and error of the last failed connect; nil while a host is usable.
        var away: (at: ContinuousClock.Instant, error: SQLError)?
    }

    private struct Weak {
        weak var connection: PostgresConnection?
    }

    private static let pause = Duration.seconds(1)
    private static let interval: useconds_t = 2_000

    let limits: PostgresLimits
    let hosts: PostgresHosts
    private let onTrouble: @Sendable (String?) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - url: a libpq connection URL.
    ///   - onTrouble: called with the reason when the server becomes unreachable, and with nil after recovery.
    init(
        url: String, limits: PostgresLimits = PostgresLimits(),
        onTrouble: @escaping @Sendable (String?) -> Void = { _ in }
    ) {
        hosts = PostgresHosts(url, connectTime: limits.connectTime)
        self.limits = limits
        self.onTrouble = onTrouble
    }

    /// Opens a connection, counted until it is freed.
    ///
    /// - Throws: ``SQLError`` when no host is usable; `TRY_AGAIN_LATER` when all allowed connections are in use.
    func connect(answerTime: Duration? = nil) throws -> PostgresHandle {
        if let away = state.withLock({ $0.away }), away.at.duration(to: .now) < Self.pause { throw away.error }
        let place = try takePlace()
        var limits = limits
        limits.answerTime = answerTime ?? limits.answerTime
        do throws(SQLError) {
            let link = try hosts.connect(limits, place: place)
            if state.withLock({ $0.away.take() }) != nil { onTrouble(nil) }
            return link
        } catch {
            // Host details are for the operator only.
            let told = SQLError(
                error.kind, error.kind == .readOnly ? "the database is read-only" : "the database cannot be reached")
            let isNew = state.withLock { state in
                defer { state.away = (.now, told) }
                return state.away == nil
            }
            if isNew { onTrouble(error.message) }
            throw told
        }
    }

    /// The counter of a schema's writing transactions.
    func writes(of schema: String) -> SchemaWrites {
        state.withLock { state in
            let known = state.writes[schema] ?? SchemaWrites()
            state.writes[schema] = known
            return known
        }
    }

    // MARK: How many there are

    /// A counted connection slot, returned when freed.
    final class Place: Sendable {
        private let server: PostgresServer

        fileprivate init(_ server: PostgresServer) { self.server = server }

        deinit { server.state.withLock { $0.count -= 1 } }
    }

    private func takePlace() throws -> Place {
        let end = ContinuousClock.now + limits.connectTime
        while true {
            let isFree = state.withLock { state in
                guard state.count < limits.connections else { return false }
                state.count += 1
                return true
            }
            if isFree { return Place(self) }
            guard .now < end else {
                throw ServerError(
                    .tryAgainLater,
                    "\(limits.connections) connections to the database are in use, the most there may be "
                        + "(database.connections)",
                    .limit(limits.connections, "database.connections"), retryAfter: 1)
            }
            idleLongest?.letGo()
            usleep(Self.interval)
        }
    }

    private var idleLongest: PostgresConnection? {
        let connections = state.withLock { $0.connections.values.compactMap(\.connection) }
        return connections.compactMap { one in one.idleSince.map { (one, $0) } }.min { $0.1 < $1.1 }?.0
    }

    func add(_ connection: PostgresConnection) {
        state.withLock { $0.connections[ObjectIdentifier(connection)] = Weak(connection: connection) }
    }

    func remove(_ id: ObjectIdentifier) { _ = state.withLock { $0.connections.removeValue(forKey: id) } }
}
