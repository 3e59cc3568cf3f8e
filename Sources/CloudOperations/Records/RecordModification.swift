import CloudAccounts
import CloudModel
import CloudStore

/// Changes records for an operator. The author is `_operator` in the public database, and in a private database its owner, who
/// alone may write there; the audit log names the operator.
///
/// The answer contains a saved record's name and tag, and for operators with the scope to read records the whole record.
struct RecordModification: Sendable {
    let call: OperationCall
    let changes: RecordChanges

    func run() async throws -> ModifiedRecords {
        let limits = call.workplace.limits
        let elements = changes.operations
        guard (1...limits.operationsPerRequest).contains(elements.count) else {
            throw ServerError.badRequest(
                "operations has \(elements.count) elements, from 1 to \(limits.operationsPerRequest) are allowed "
                    + "(limit.operationsPerRequest)",
                .limit(limits.operationsPerRequest, "limit.operationsPerRequest"))
        }
        var operations: [Result<RecordOperation, RecordOperation.Refused>] = []
        for (index, element) in elements.enumerated() {
            let operation = try RecordOperation.parse(element, at: index, defaults: Presentation(), limits: limits)
            if case .success(let operation) = operation, operation.share != nil {
                throw ServerError.badRequest("operations[\(index)] is a share, which only its participants can change")
            }
            operations.append(operation)
        }
        try operations.refuseDuplicates()
        return try await modify(operations, limits)
    }

    private func modify(
        _ operations: [Result<RecordOperation, RecordOperation.Refused>], _ limits: Limits
    ) async throws -> ModifiedRecords {
        let records = try await RecordZone(changes.zone.any, call)
        let result = try await records.place.store.records.modify(
            ModifyRequest(
                zone: records.zone, operations: operations,
                atomic: changes.atomic && records.zone.isCustom, caller: records.caller,
                growsSchema: records.place.environment == .development && records.place.container.justInTimeSchema,
                limits: limits, revealRefusal: call.identity.revealRefusal))
        return ModifiedRecords(
            records: try result.outcomes.map { outcome in
                switch outcome {
                case .saved(let body): return try saved(body, records)
                case .deleted(let name): return .members(["recordName": .string(name), "deleted": .bool(true)])
                case .failed(let name, let error):
                    return .members([
                        "recordName": .string(name), "serverErrorCode": .string(error.code.rawValue),
                        "reason": .string(error.reason),
                    ])
                }
            })
    }

    private func saved(_ body: RecordBody, _ records: RecordZone) throws -> JSONValue {
        if call.identity.scopes.contains(.recordsRead) { return try records.shown(body, call) }
        let json = try body.json()
        return .object(JSONObject(json.members.filter { ["recordName", "recordChangeTag"].contains($0.key) }))
    }
}
