import CloudAccounts
import CloudHTTP
package import CloudModel
package import CloudStore

extension RecordEndpoints {
    /// `records/modify` (reference A §4).
    package static let modify: WriteEndpoint = { call in
        try call.allowance.admit()
        let zone = try call.zone(call.body["zoneID"])
        let defaults = try Presentation().overridden(by: call.body)
        let elements = try call.elements("operations", limit: call.limits.operationsPerRequest)
        var operations: [Result<RecordOperation, RecordOperation.Refused>] = []
        operations.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            operations.append(
                try RecordOperation.parse(element, at: index, defaults: defaults, limits: call.limits))
        }
        try operations.refuseDuplicates()
        call.fault?.refuse(in: &operations)
        var request = ModifyRequest(
            zone: zone, operations: operations, atomic: try call.body.optionalFlag("atomic") ?? true && zone.isCustom,
            caller: call.identity.caller, growsSchema: call.growsSchema, limits: call.limits,
            person: nil, clientID: try call.clientID())
        let owner = owner(of: operations, call)
        if owner == nil, !call.options.getCurrentSyncToken {
            return PreparedWrite(call.store.records.write(request), size: \.recordBytes) { [operations] in
                written(try outcomes(of: $0, operations, call), nil)
            }
        }
        return .awaited { [request, operations] in
            var request = request
            if let owner { request.person = try await call.person(owner) }
            let outcomes = try outcomes(of: try await call.store.records.modify(request), operations, call)
            return written(outcomes, try await call.currentSyncToken(of: zone))
        }
    }

    /// The outcomes for the answer. Notes them in the request's trace.
    private static func outcomes(
        of result: ModifyResult, _ operations: [Result<RecordOperation, RecordOperation.Refused>],
        _ call: DatabaseCall
    ) throws -> [OperationOutcome] {
        call.trace.note(records(of: result.outcomes, operations))
        let outcomes = try projected(result.outcomes, operations, call)
        if result.isAtomicFailure && call.identity.container.atomicErrorStatus {
            throw AtomicBatchFailed(outcomes: outcomes)
        }
        return outcomes
    }

    private static func written(_ outcomes: [OperationOutcome], _ token: String?) -> JSONWriter {
        var writer = JSONWriter(capacity: 512 * outcomes.count + 64)
        writer.object {
            $0.outcomes(outcomes)
            $0.member("syncToken", token)
        }
        return writer
    }

    /// Outcomes in the form of the request record.
    private static func records(
        of outcomes: [OperationOutcome], _ operations: [Result<RecordOperation, RecordOperation.Refused>]
    ) -> [OperationRecord] {
        outcomes.enumerated().map { index, outcome in
            if case .failed(_, let error) = outcome { return OperationRecord(index: index, error) }
            let operation = try? operations[index].get()
            return OperationRecord(
                index: index, recordName: operation?.recordName ?? outcome.recordName, recordType: operation?.recordType
            )
        }
    }

    /// The user to name as owner of a new share; nil for requests that create no share.
    private static func owner(
        of operations: [Result<RecordOperation, RecordOperation.Refused>], _ call: DatabaseCall
    ) -> String? {
        let createsShare = operations.contains {
            if case .success(let operation) = $0 { operation.share != nil } else { false }
        }
        return createsShare ? call.identity.caller.userRecordName : nil
    }

    private static func projected(
        _ outcomes: [OperationOutcome], _ operations: [Result<RecordOperation, RecordOperation.Refused>],
        _ call: DatabaseCall
    ) throws -> [OperationOutcome] {
        try zip(outcomes, operations).map { outcome, operation in
            guard case .saved(let body) = outcome, case .success(let operation) = operation else { return outcome }
            return .saved(try call.shown(body, operation.presentation))
        }
    }
}

/// Refusal of a failed atomic batch, for containers with `atomicErrorStatus`: the only error answer that includes
/// records (reference A §4.4).
struct AtomicBatchFailed: Refusing {
    let outcomes: [OperationOutcome]

    var refusal: RequestRefusal {
        var refusal = RequestRefusal(error)
        refusal.members = { [outcomes] in $0.outcomes(outcomes) }
        return refusal
    }

    /// Names the first failing record in the reason: clients drop the records of a failed request.
    private var error: ServerError {
        let culprits = outcomes.enumerated().compactMap {
            index, outcome -> (index: Int, name: String, error: ServerError)? in
            guard case .failed(let name, let error) = outcome, error.code != .atomicError else { return nil }
            return (index, name, error)
        }
        guard let first = culprits.first else {
            return ServerError(.atomicError, "atomic batch operation failed", .atomic(culprit: nil))
        }
        let others: Reason = culprits.count > 1 ? ", and \(culprits.count - 1) more" : ""
        return ServerError(
            .atomicError,
            "record '\(Naming.shown(first.name))': \(known: first.error.code.rawValue), \(first.error.sentence)\(others)",
            .atomic(culprit: first.index))
    }
}

extension OperationOutcome {
    /// The saved or deleted record's name, including a server-generated name.
    fileprivate var recordName: String? {
        switch self {
        case .saved(let body): body.recordName
        case .deleted(let name): name
        case .failed: nil
        }
    }
}

extension JSONWriter {
    package mutating func outcomes(_ outcomes: [OperationOutcome]) {
        key("records")
        array {
            for outcome in outcomes {
                switch outcome {
                case .saved(let body): $0.record(body)
                case .deleted(let name): $0.record(.tombstone(name))
                case .failed(let name, let error): $0.recordError(name, error)
                }
            }
        }
    }
}

extension DatabaseCall {
    /// True in development with just-in-time schema: saves create missing types and fields.
    package var growsSchema: Bool { identity.environment == .development && identity.container.justInTimeSchema }
}
