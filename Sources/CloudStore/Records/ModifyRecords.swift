package import CloudModel
import GRDB

/// records/modify, decoded (reference A §4).
package struct ModifyRequest: Sendable {
    package let zone: ZoneID
    package let operations: [Result<RecordOperation, RecordOperation.Refused>]
    package let atomic: Bool
    package let caller: Caller
    /// Whether unknown types and fields are made just in time (reference A §11.1).
    package let growsSchema: Bool
    package let limits: Limits
    /// The caller's name and addresses, for a share they make.
    package let person: Person?
    /// Whether an operation begins or changes a share. Asked for at each record that is written.
    let changesShares: Bool
    /// What the client that sends it calls itself; it is not told of its own changes.
    package let clientID: String?

    package init(
        zone: ZoneID, operations: [Result<RecordOperation, RecordOperation.Refused>], atomic: Bool, caller: Caller,
        growsSchema: Bool, limits: Limits, person: Person? = nil, clientID: String? = nil
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
    }
}

/// What became of a records/modify request.
package struct ModifyResult: Sendable {
    /// In the order of the operations.
    package let outcomes: [OperationOutcome]
    /// The batch was atomic, an operation failed, and so nothing was stored.
    package let isAtomicFailure: Bool
}

/// What became of one operation.
package enum OperationOutcome: Sendable {
    /// The record's stored form.
    case saved([UInt8])
    case deleted(recordName: String)
    case failed(recordName: String, ServerError)
}

/// One run of a records/modify request inside its transaction.
///
/// References are judged once the whole batch is written, since a batch may bring their targets. In a batch that
/// is not atomic, an operation found wanting then is left out and the batch runs again without it; so is one that
/// was refused after it had added to the schema.
struct ModifyRecords {
    let request: ModifyRequest
    let prepared: [Preparation]
    let preparedVersion: Int64
    let environment: ContainerEnvironment
    let indexing: IndexPolicy
    /// Milliseconds since 1970-01-01Z.
    let now: Int64
    /// Record names for operations that bring none.
    let names: [String]
    let shortGUIDs: ShortGUID

    /// The operations as they are performed: shares last, since what they share may be written beside them.
    private var order: [Int] {
        let indices = request.operations.indices
        guard request.changesShares else { return Array(indices) }
        let isShare = { (index: Int) in (try? request.operations[index].get().share) != nil }
        return indices.filter { !isShare($0) } + indices.filter(isShare)
    }

    /// Thrown to undo an atomic batch; carries what to answer.
    struct AtomicFailure: Error {
        let outcomes: [OperationOutcome]
    }

    func run(_ transaction: WriteTransaction) throws -> [OperationOutcome] {
        transaction.occasion = Occasion(
            Requester(user: request.caller.userRecordName, clientID: request.clientID), now: now,
            limits: request.limits)
        var excluded: [Int: ServerError] = [:]
        while true {
            var batch = try Batch(self, transaction)
            var outcomes = names.map { OperationOutcome.deleted(recordName: $0) }
            var grownInVain: [Int: ServerError] = [:]
            for index in order {
                let version = transaction.catalog.version
                let outcome = try outcome(index, excluded[index], &batch)
                outcomes[index] = outcome
                if case .failed(_, let error) = outcome, transaction.catalog.version != version {
                    grownInVain[index] = error
                }
            }
            if request.atomic && outcomes.contains(where: \.isFailure) {
                throw AtomicFailure(outcomes: outcomes.map(\.inFailedBatch))
            }
            let broken = try batch.brokenLinks(limit: request.limits.deleteSelfReferences)
            if broken.isEmpty && grownInVain.isEmpty {
                batch.finish()
                return try batch.latest(outcomes)
            }
            if request.atomic {
                throw AtomicFailure(
                    outcomes: outcomes.enumerated().map { index, outcome in
                        broken[index].map { .failed(recordName: outcome.recordName(names[index]), $0) }
                            ?? outcome.inFailedBatch
                    })
            }
            excluded.merge(broken) { first, _ in first }
            excluded.merge(grownInVain) { first, _ in first }
            try transaction.restartRequest()
        }
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
                // Without a signed-in user the whole request is told to sign in (reference A §4.2).
                if error.code == .authenticationRequired { throw error }
                return .failed(recordName: name, error)
            }
        }
    }
}

extension OperationOutcome {
    var isFailure: Bool { if case .failed = self { true } else { false } }

    func recordName(_ fallback: String) -> String {
        switch self {
        case .saved(let body): (try? JSONParser.parse(body))?.object?["recordName"]?.string ?? fallback
        case .deleted(let name), .failed(let name, _): name
        }
    }

    /// What the others of a failed atomic batch are told (reference A §4.4).
    var inFailedBatch: OperationOutcome {
        if isFailure { return self }
        return .failed(
            recordName: recordName(""),
            ServerError(.atomicError, "not saved because of previous error in atomic zone"))
    }
}
