import CloudEngine
import CloudModel

/// Limits of a client's read.
struct ReadBudget: Sendable {
    let time: Duration
    /// Steps of a read's statements, in the engine's units.
    let steps: Int

    init(_ limits: Limits) {
        time = limits.readTime
        steps = limits.readSteps
    }
}

/// Ends the reads of one connection whose budget is used up, or whose client has hung up.
///
/// Touched on the connection's queue only.
final class ReadGuard {
    private static let interval = 4000
    /// Steps of a brief read: a millisecond or two.
    private static let briefSteps = 100_000

    /// Thrown when a brief read takes long.
    struct TakesLong: Error {}

    private let budget: ReadBudget
    private var client: ReadClient?
    private var deadline = ContinuousClock.now
    private var steps = 0
    private var isBrief = false
    /// The reason for ending the read.
    private(set) var refusal: (any Error)?

    /// True while a caller holds a snapshot on the connection.
    var isHeld = false

    init(_ budget: ReadBudget) { self.budget = budget }

    /// - Throws: `TRY_AGAIN_LATER` while a caller holds a snapshot: readers share a connection only if another could not be
    ///   opened.
    func requireFree() throws {
        guard isHeld else { return }
        throw ServerError(
            .tryAgainLater, "the server has too few file descriptors for another read", .server(.database),
            retryAfter: 1)
    }

    /// Has the connection ask this guard every few thousand steps.
    func install(on connection: any EngineConnection) {
        connection.endStatements(every: Self.interval) { self.mustEnd() }
    }

    /// - Parameter isBrief: true to end a long read with ``TakesLong``.
    func begin(_ client: ReadClient?, isBrief: Bool) {
        self.client = client
        self.isBrief = isBrief
        refusal = nil
        steps = 0
        if client != nil { deadline = .now + budget.time }
    }

    func end() {
        client = nil
        isBrief = false
    }

    private func mustEnd() -> Bool {
        steps += Self.interval
        if isBrief, steps > Self.briefSteps {
            refusal = TakesLong()
            return true
        }
        guard let client else { return false }
        if client.hasGone {
            refusal = CancellationError()
        } else if steps > budget.steps {
            refusal = Self.refusal("\(budget.steps) steps (limit.readSteps)")
        } else if .now > deadline {
            refusal = Self.refusal("\(budget.time.components.seconds) seconds (limit.readTime)")
        }
        return refusal != nil
    }

    private static func refusal(_ limit: Reason) -> ServerError {
        .badRequest(
            "the request reads too much: one read may take \(limit); add a filter that an index serves",
            .index(.tooMuch))
    }
}
