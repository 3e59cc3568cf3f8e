import Synchronization

/// One request as it is being answered: the decisions on its way and what it has cost so far.
///
/// It goes along with the request, and the code that decides notes its steps in it. What it holds is bounded.
package final class RequestTrace: Sendable {
    /// The id that the answer and every error of it carry.
    package let id: String
    package let began = ContinuousClock.now
    private let state = Mutex(Notes())

    /// The notes of a request.
    package struct Notes: Sendable {
        package var steps: [TrailStep] = []
        package var operations: [OperationRecord] = []
        package var succeeded = 0
        package var failed = 0
        package var cost = RequestCost()
        /// The refusal of the request as a whole.
        package var refusal: Refusal?
        package var user: String?
        /// The container that the request is about, when there is one of the name.
        package var container: String?
        /// The client's address, once somebody has looked at it.
        package var address: String?
        /// The body, where a development server keeps it.
        package var body: [UInt8]?
        /// The time at which the request last left the store.
        package var left: ContinuousClock.Instant?
    }

    /// The refusal of a request.
    package struct Refusal: Hashable, Sendable {
        /// Nil for a page, whose errors have no codes.
        package let code: ServerError.Code?
        /// The sentence, with "…" in the place of texts that clients have sent until ``recorded(withValues:)``.
        package let reason: String
        package let cause: Cause
        /// The sentence as the client gets it, cut after 1,000 characters.
        fileprivate let told: String

        /// The refusal as a record keeps it.
        ///
        /// - Parameter values: whether the record may hold what clients have sent.
        package func recorded(withValues values: Bool) -> Refusal {
            Refusal(code: code, reason: values ? told : reason, cause: cause, told: "")
        }
    }

    private static let mostSteps = 32
    /// Operations kept of those that succeeded, and of those that were refused.
    private static let mostSucceeded = 20
    private static let mostFailed = 100

    package init(id: String = RandomUUID.make()) { self.id = id }

    package var address: String? { state.withLock { $0.address } }
    package var notes: Notes { state.withLock { $0 } }

    /// Notes a decision. One that repeats the last is noted once.
    package func note(_ step: TrailStep) {
        state.withLock { notes in
            if notes.steps.count < Self.mostSteps, notes.steps.last != step { notes.steps.append(step) }
            switch step {
            case .place(let container, _, _), .link(let container, _, _): notes.container = container
            default: break
            }
        }
    }

    /// Takes back all that was noted since `notes` were.
    package func restore(_ notes: Notes) { state.withLock { $0 = notes } }

    package func note(user: String?) { state.withLock { $0.user = user } }

    package func note(address: String) { state.withLock { $0.address = address } }
    package func note(container: String) { state.withLock { $0.container = container } }

    package func refuse(_ error: ServerError) {
        refuse(
            Refusal(
                code: error.code, reason: error.sentence.plain, cause: error.cause,
                told: error.sentence.told))
    }

    /// Notes the refusal of a page, whose title says what the matter is.
    package func refuse(_ title: String, _ cause: Cause) {
        refuse(Refusal(code: nil, reason: title, cause: cause, told: title))
    }

    private func refuse(_ refusal: Refusal) { state.withLock { $0.refusal = refusal } }

    /// Notes the outcomes of some operations, in order.
    package func note(_ operations: some Sequence<OperationRecord>) {
        state.withLock { notes in
            for operation in operations {
                if operation.code == nil {
                    notes.succeeded += 1
                    if notes.succeeded > Self.mostSucceeded { continue }
                } else {
                    notes.failed += 1
                    if notes.failed > Self.mostFailed { continue }
                }
                notes.operations.append(operation)
            }
        }
    }

    /// Adds what a visit to the store has cost.
    package func add(_ cost: RequestCost) {
        let now = ContinuousClock.now
        state.withLock { notes in
            notes.cost.add(cost)
            notes.left = now
        }
    }

    package func note(rowsAnswered count: Int) { state.withLock { $0.cost.rowsAnswered += count } }
    package func note(notifications count: Int) { state.withLock { $0.cost.notifications += count } }
    /// The largest body that is kept.
    package static let mostBody = 65_536

    package func note(body: [UInt8]) {
        if body.count <= Self.mostBody, !body.isEmpty { state.withLock { $0.body = body } }
    }

    package func note(bytesIn count: Int) { state.withLock { $0.cost.bytesIn += count } }
}
