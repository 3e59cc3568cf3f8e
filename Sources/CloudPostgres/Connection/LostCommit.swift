import CloudModel
import CloudSQL
import Foundation

/// Finds the outcome of a group whose COMMIT was not answered.
struct LostCommit {
    let server: PostgresServer
    let schema: String
    let row: LockedRow
    let group: Int64
    /// The preceding group.
    let last: Int64?

    /// The time limit for finding the outcome.
    private static let longest = Duration.seconds(10)
    private static let pause: useconds_t = 50_000

    /// Returns if the group was committed.
    ///
    /// - Throws: `TRY_AGAIN_LATER` if the group was lost, or its outcome is unknown.
    func find() throws {
        let end = ContinuousClock.now + min(server.limits.answerTime, Self.longest)
        while ContinuousClock.now < end {
            switch try? ask(until: end) {
            case .kept: return
            case .gone: throw Self.gone
            case .unknown: throw Self.unknown
            // No reliable answer yet.
            case nil: usleep(Self.pause)
            }
        }
        throw Self.unknown
    }

    private enum Answer { case kept, gone, unknown }

    private func ask(until end: ContinuousClock.Instant) throws -> Answer {
        let time = ContinuousClock.now.duration(to: end)
        let link = try server.connect(answerTime: time)
        let answer = try link.script(
            """
            SET client_connection_check_interval = '1s'; SET lock_timeout = '\(max(time.pollTime, 1))ms'; \
            \(row.question(about: group, after: last, in: schema))
            """)
        // An abandoned host, or a host that gave up waiting for its standby, gives no reliable answer.
        guard !link.isWarned, !server.hosts.isLeft(link) else { throw SQLError(.unusable, "the answer does not count") }
        if answer?.text(0) == "t" { return .kept }
        return answer?.text(1) == "t" ? .gone : .unknown
    }

    private static let gone = ServerError(
        .tryAgainLater, "the connection to the database was lost, and the change with it; try again",
        .server(.database), retryAfter: 1)
    private static let unknown = ServerError(
        .tryAgainLater,
        "the connection to the database was lost at the end, and whether the change is kept is not known; look before "
            + "you try again", .server(.database), retryAfter: 5)
}
