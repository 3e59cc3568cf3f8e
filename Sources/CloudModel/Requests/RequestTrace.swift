import Synchronization

/// A request in progress: its decisions and its cost so far.
///
/// The trace travels with the request, and the deciding code notes its steps here. Its size is bounded. The request's log
/// record keeps it.
package final class RequestTrace: Sendable {
    /// The request ID, repeated in all errors of the answer.
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
        /// The error, if the whole request was refused.
        package var refusal: Refusal?
        package var user: String?
        /// The container's name, if such a container exists.
        package var container: String?
        /// The client's address, set at first use.
        package var address: String?
        /// The request body, if a development server keeps it.
        package var body: [UInt8]?
        /// The time at which the request last left the store.
        package var left: ContinuousClock.Instant?
        /// The environment, once resolved.
        package var environment: ContainerEnvironment?
        package var database: DatabaseScope?
        /// Whether a step or the refusal concerns index marks.
        package var isAboutMarks = false
        fileprivate var hasEnded = false
    }

    /// The refusal of a request.
    package struct Refusal: Hashable, Sendable {
        /// Nil for web pages, whose errors have no codes.
        package let code: ServerError.Code?
        /// The sentence, with "…" in place of client-supplied text until ``recorded(withValues:)``.
        package let reason: String
        package let cause: Cause
        /// The sentence for the client, cut after 1,000 characters.
        fileprivate let told: String

        /// The form for log records.
        ///
        /// - Parameter values: whether the record may contain client data.
        package func recorded(withValues values: Bool) -> Refusal {
            Refusal(code: code, reason: values ? told : reason, cause: cause, told: "")
        }
    }

    /// The notes that the request log reads as soon as the request ends.
    package struct Ending: Sendable {
        package let environment: ContainerEnvironment?
        package let database: DatabaseScope?
        package let isAboutMarks: Bool
        /// Whether operations were refused.
        package let isRefused: Bool
        /// The time at which the request last left the store.
        package let left: ContinuousClock.Instant?
        /// The approximate size in memory, in bytes.
        package let size: Int
    }

    fileprivate static let mostSteps = 32
    /// Limits on the operations kept: succeeded, then refused.
    private static let mostSucceeded = 20
    private static let mostFailed = 100

    package init(id: String = RandomUUID.make()) { self.id = id }

    package var address: String? { state.withLock { $0.address } }
    package var notes: Notes { state.withLock { $0 } }

    /// Changes the notes, unless they are closed.
    private func change(_ body: (inout Notes) -> Void) {
        state.withLock { notes in
            if !notes.hasEnded { body(&notes) }
        }
    }

    /// Notes a decision, unless it repeats the previous step.
    package func note(_ step: TrailStep) { change { $0.add(step) } }

    /// Notes the steps of a caller's authentication.
    package func note(_ steps: [TrailStep], by user: String?) {
        change { notes in
            if notes.steps.isEmpty, steps.count <= Self.mostSteps {
                notes.steps = steps
                for step in steps { notes.look(at: step) }
            } else {
                for step in steps { notes.add(step) }
            }
            notes.user = user
        }
    }

    /// Reverts to earlier notes.
    package func restore(_ notes: Notes) { change { $0 = notes } }

    package func note(user: String?) { change { $0.user = user } }

    package func note(address: String) { change { $0.address = address } }
    package func note(container: String) { change { $0.container = container } }

    package func refuse(_ error: ServerError) {
        refuse(
            Refusal(
                code: error.code, reason: error.sentence.plain, cause: error.cause,
                told: error.sentence.told))
    }

    /// Notes the refusal of a web page, whose title gives the reason.
    package func refuse(_ title: String, _ cause: Cause) {
        refuse(Refusal(code: nil, reason: title, cause: cause, told: title))
    }

    private func refuse(_ refusal: Refusal) {
        change { notes in
            notes.refusal = refusal
            if case .index = refusal.cause { notes.isAboutMarks = true }
        }
    }

    /// Notes operation results, in order.
    package func note(_ operations: some Sequence<OperationRecord>) {
        change { notes in
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

    /// Adds the cost of a store visit.
    package func add(_ cost: RequestCost) {
        let now = ContinuousClock.now
        change { notes in
            notes.cost.add(cost)
            notes.left = now
        }
    }

    package func note(rowsAnswered count: Int) { change { $0.cost.rowsAnswered += count } }
    package func note(notifications count: Int) { change { $0.cost.notifications += count } }
    /// The largest body kept, in bytes.
    package static let mostBody = 65_536

    package func note(body: [UInt8]) {
        if body.count <= Self.mostBody, !body.isEmpty { change { $0.body = body } }
    }

    package func note(bytesIn count: Int) { change { $0.cost.bytesIn += count } }

    /// Closes the notes for the log record; later notes are ignored.
    ///
    /// - Parameter values: whether the record may contain client data.
    package func end(withValues values: Bool) -> Ending {
        state.withLock { notes in
            if !notes.hasEnded { notes.end(withValues: values) }
            return Ending(
                environment: notes.environment, database: notes.database, isAboutMarks: notes.isAboutMarks,
                isRefused: notes.failed > 0, left: notes.left, size: notes.size)
        }
    }
}

extension RequestTrace.Notes {
    fileprivate mutating func add(_ step: TrailStep) {
        if steps.count < RequestTrace.mostSteps, steps.last != step { steps.append(step) }
        look(at: step)
    }

    fileprivate mutating func look(at step: TrailStep) {
        switch step {
        case .place(let container, let environment, let database):
            self.container = container
            if self.database == nil { (self.environment, self.database) = (environment, database) }
        case .link(let container, let environment, _):
            self.container = container
            if self.environment == nil { self.environment = environment }
        case .index, .refusedInProduction: isAboutMarks = true
        default: break
        }
    }

    fileprivate mutating func end(withValues values: Bool) {
        hasEnded = true
        refusal = refusal?.recorded(withValues: values)
        for index in operations.indices where operations[index].code != nil {
            operations[index] = operations[index].recorded(withValues: values)
        }
    }

    /// Causes count by the size of their text, since conflicts contain field names.
    fileprivate var size: Int {
        var size = 400 + (container?.utf8.count ?? 0) + 200 * steps.count + (body?.count ?? 0)
        if let refusal { size += refusal.reason.utf8.count + 2 * refusal.cause.text.utf8.count }
        for operation in operations {
            size += 160 + (operation.recordName?.utf8.count ?? 0) + (operation.reason?.utf8.count ?? 0)
            if let cause = operation.cause { size += 2 * cause.text.utf8.count }
        }
        return size
    }
}
