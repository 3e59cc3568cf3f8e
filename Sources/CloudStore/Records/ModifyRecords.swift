import CloudEngine
package import CloudModel
import CloudSQL

/// A decoded records/modify request (reference A §4).
package struct ModifyRequest: Sendable {
    package let zone: ZoneID
    package let operations: [Result<RecordOperation, RecordOperation.Refused>]
    package let atomic: Bool
    package let caller: Caller
    /// True if missing types and fields are created just in time (reference A §11.1).
    package let growsSchema: Bool
    package let limits: Limits
    /// The caller's name and addresses, for a share that the request creates.
    package var person: Person?
    /// True if an operation creates or changes a share. Stored, since each written record checks it.
    let changesShares: Bool
    /// The requesting client's own name; the client is not notified of its own changes.
    package let clientID: String?
    /// The error for operations that bring an existing record into a share; nil for callers who may read the records that
    /// they share.
    package let revealRefusal: ServerError?

    package init(
        zone: ZoneID, operations: [Result<RecordOperation, RecordOperation.Refused>], atomic: Bool, caller: Caller,
        growsSchema: Bool, limits: Limits, person: Person? = nil, clientID: String? = nil,
        revealRefusal: ServerError? = nil
    ) {
        self.zone = zone
        self.operations = operations
        self.atomic = atomic
        self.caller = caller
        self.growsSchema = growsSchema
        self.limits = limits
        self.person = person
        changesShares = operations.contains { (try? $0.get().share) != nil }
        self.clientID = clientID
        self.revealRefusal = revealRefusal
    }
}

/// The result of a records/modify request.
package struct ModifyResult: Sendable {
    /// Outcomes in the order of the operations.
    package let outcomes: [OperationOutcome]
    /// True if an operation of an atomic batch failed, so that nothing was stored.
    package let isAtomicFailure: Bool

    /// The size of the saved records, in bytes.
    package var recordBytes: Int {
        outcomes.reduce(0) { if case .saved(let body) = $1 { $0 + body.size } else { $0 } }
    }

    /// - Throws: the error of a failed write, except the failure of an atomic batch.
    init(_ result: Result<[OperationOutcome], any Error>) throws {
        switch result {
        case .success(let outcomes): (self.outcomes, isAtomicFailure) = (outcomes, false)
        case .failure(let failure as ModifyRecords.AtomicFailure):
            (outcomes, isAtomicFailure) = (failure.outcomes, true)
        case .failure(let error): throw error
        }
    }
}

/// Runs a records/modify request inside its transaction.
///
/// Checks references after the whole batch is written, since a batch may create their targets. A non-atomic batch then runs
/// again without refused operations and their dependent operations. See docs/decisions/batches.md.
struct ModifyRecords {
    let request: ModifyRequest
    let prepared: [Preparation]
    let preparedVersion: Int64
    let environment: ContainerEnvironment
    let now: Timestamp
    /// Record names for operations without one.
    let names: [String]
    let shortGUIDs: ShortGUID

    /// The order of execution: shares last, since the same request may write their records.
    private var order: [Int] {
        let indices = request.operations.indices
        guard request.changesShares else { return Array(indices) }
        let isShare = { (index: Int) in (try? request.operations[index].get().share) != nil }
        return indices.filter { !isShare($0) } + indices.filter(isShare)
    }

    /// The record names of all operations that passed decoding.
    var recordNames: [String] {
        request.operations.indices.compactMap { index in
            (try? request.operations[index].get()).map { $0.recordName ?? names[index] }
        }
    }

    /// The names of records to delete.
    var deletedNames: [String] {
        request.operations.compactMap { operation in
            (try? operation.get()).flatMap { $0.type.isDelete ? $0.recordName : nil }
        }
    }

    /// The record of a request about a single record.
    var onlyRecord: NamedRecord? {
        guard names.count == 1, let name = recordNames.first else { return nil }
        return NamedRecord(zone: request.zone, name: ExactName(name))
    }

    /// Thrown to undo an atomic batch; carries the outcomes to return.
    struct AtomicFailure: Error {
        let outcomes: [OperationOutcome]
    }

    /// How to run operations.
    private enum Care {
        /// Without savepoints: a failure can only undo the whole batch.
        case none
        /// In savepoints, so that a failed operation is undone.
        case each
        /// In savepoints, with references checked after each operation.
        case inOrder
    }

    /// The most batch runs before checking each operation separately. Operations that depend on refused ones are found
    /// without a run, so most batches need at most two runs.
    private static let mostRuns = 4

    func run(_ transaction: WriteTransaction) throws -> [OperationOutcome] {
        var excluded: [Int: ServerError] = [:]
        var care = Care.none
        var runs = 0
        while true {
            runs += 1
            if runs > Self.mostRuns { care = .inOrder }
            var batch = try Batch(self, transaction)
            let (outcomes, leavesTraces) = try perform(&batch, excluded, care)
            if request.atomic && outcomes.contains(where: \.isFailure) {
                throw AtomicFailure(outcomes: outcomes.inFailedBatch())
            }
            // Writes of failed operations could distort the findings.
            let findings =
                leavesTraces || care == .inOrder
                ? Batch.Findings() : try batch.findings(limit: request.limits.deleteSelfReferences)
            if !leavesTraces && findings.isEmpty {
                batch.finish()
                return try batch.latest(outcomes)
            }
            try transaction.restartRequest()
            let refused = try BatchVerdict(batch, findings, follows: !request.atomic).refused
            if request.atomic { throw AtomicFailure(outcomes: failing(outcomes, refused)) }
            excluded.merge(refused) { first, _ in first }
            care = .each
        }
    }

    private func failing(_ outcomes: [OperationOutcome], _ refused: [Int: ServerError]) -> [OperationOutcome] {
        outcomes.enumerated().map { index, outcome in
            refused[index].map { .failed(recordName: outcome.recordName(names[index]), $0) }
                ?? outcome.inFailedBatch(of: refused.keys.min())
        }
    }

    /// - Returns: the outcomes, and whether a failed operation has left writes.
    private func perform(
        _ batch: inout Batch, _ excluded: [Int: ServerError], _ care: Care
    ) throws -> (outcomes: [OperationOutcome], leavesTraces: Bool) {
        let transaction = batch.transaction
        var outcomes = names.map { OperationOutcome.deleted(recordName: $0) }
        var leavesTraces = false
        for index in order {
            if care != .none, excluded[index] == nil {
                outcomes[index] = try carefulOutcome(index, &batch, inOrder: care == .inOrder)
                continue
            }
            let (version, changes) = (transaction.catalog.version, transaction.db.totalChanges)
            outcomes[index] = try outcome(index, excluded[index], &batch)
            guard outcomes[index].isFailure else { continue }
            let wrote = transaction.catalog.version != version || transaction.db.totalChanges != changes
            leavesTraces = leavesTraces || wrote
        }
        return (outcomes, leavesTraces)
    }

    /// Runs an operation in a savepoint, which is undone if the operation fails.
    private func carefulOutcome(_ index: Int, _ batch: inout Batch, inOrder: Bool) throws -> OperationOutcome {
        struct Undone: Error {}
        let before = batch
        var result = OperationOutcome.deleted(recordName: names[index])
        var trouble: (any Error)?
        try batch.transaction.attempt {
            do {
                let mark = batch.mark
                result = try outcome(index, nil, &batch)
                if inOrder, !result.isFailure {
                    let findings = try batch.findings(since: mark, limit: request.limits.deleteSelfReferences)
                    if let error = findings.faults[index] ?? findings.contests.first?.refusal {
                        result = .failed(recordName: result.recordName(names[index]), error)
                    }
                }
            } catch {
                trouble = error
            }
            if trouble != nil || result.isFailure { throw Undone() }
        }
        if let trouble { throw trouble }
        if result.isFailure { batch = before }
        return result
    }

    private func outcome(_ index: Int, _ excluded: ServerError?, _ batch: inout Batch) throws -> OperationOutcome {
        switch request.operations[index] {
        case .failure(let refused): return .failed(recordName: refused.recordName ?? names[index], refused.error)
        case .success(let operation):
            let name = operation.recordName ?? names[index]
            if let excluded { return .failed(recordName: name, excluded) }
            do {
                return try batch.perform(operation, name: name, index: index)
            } catch let error as ServerError {
                // Without a signed-in user the whole request fails, and asks to sign in (reference A §4.2).
                if error.code == .authenticationRequired { throw error }
                return .failed(recordName: name, error)
            }
        }
    }
}

extension [OperationOutcome] {
    /// The outcomes of an atomic batch with a failed operation.
    fileprivate func inFailedBatch() -> [OperationOutcome] {
        let culprit = firstIndex(where: \.isFailure)
        return map { $0.inFailedBatch(of: culprit) }
    }
}

extension OperationOutcome {
    var isFailure: Bool { if case .failed = self { true } else { false } }

    func recordName(_ fallback: String) -> String {
        switch self {
        case .saved(let body): (try? body.json())?["recordName"]?.string ?? fallback
        case .deleted(let name), .failed(let name, _): name
        }
    }

    /// The outcome of a failed atomic batch's other operations (reference A §4.4).
    func inFailedBatch(of culprit: Int?) -> OperationOutcome {
        if isFailure { return self }
        return .failed(
            recordName: recordName(""),
            ServerError(.atomicError, "not saved because of previous error in atomic zone", .atomic(culprit: culprit)))
    }
}
