import CloudModel
import CloudStore

/// A change of records by an operator. The public database is changed as `_operator`, a private one as its owner, who
/// is the only one with a place in it; the audit log says who it was.
struct RecordModification: Sendable {
    let call: OperationCall

    func run() async throws -> ModifiedRecords {
        let limits = call.workplace.limits
        guard let elements = call.arguments["operations"]?.array else {
            throw ServerError.badRequest("operations must be an array")
        }
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
        try refuseDuplicates(operations)
        return try await modify(operations, limits)
    }

    private func modify(
        _ operations: [Result<RecordOperation, RecordOperation.Refused>], _ limits: Limits
    ) async throws -> ModifiedRecords {
        let records = try await RecordZone(call)
        let result = try await records.place.store.modify(
            ModifyRequest(
                zone: records.zone, operations: operations,
                atomic: try call.arguments.flag("atomic") ?? true && records.zone.isCustom, caller: records.caller,
                growsSchema: records.place.environment == .development && records.place.container.justInTimeSchema,
                limits: limits))
        return ModifiedRecords(
            records: try result.outcomes.map { outcome in
                switch outcome {
                case .saved(let body): return try records.shown(body, call)
                case .deleted(let name): return Self.object([("recordName", .string(name)), ("deleted", .bool(true))])
                case .failed(let name, let error):
                    return Self.object([
                        ("recordName", .string(name)), ("serverErrorCode", .string(error.code.rawValue)),
                        ("reason", .string(error.reason)),
                    ])
                }
            })
    }

    /// Nothing says which of two operations on one record would come first.
    private func refuseDuplicates(
        _ operations: [Result<RecordOperation, RecordOperation.Refused>]
    ) throws(ServerError) {
        var seen: Set<[UInt8]> = []
        for case .success(let operation) in operations {
            guard let name = operation.recordName, !seen.insert(Array(name.utf8)).inserted else { continue }
            throw .badRequest("operations name the record '\(Naming.shown(name))' more than once")
        }
    }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(JSONObject(members.map { .init(key: $0.0, value: $0.1) }))
    }
}
