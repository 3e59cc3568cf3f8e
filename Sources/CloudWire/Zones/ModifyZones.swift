import CloudModel
import CloudStore

extension ZoneEndpoints {
    /// `zones/modify` (reference A §7.3): creates and deletes zones in the private database. A deletion in the shared
    /// database leaves the zone's shares (reference B §9.5).
    package static let modify: Endpoint = { call in
        let database = try call.database()
        switch database {
        case .public: throw ServerError.badRequest("the public database has no custom zones", .place(.database))
        case .shared, .private: break
        }
        let elements = try call.elements("operations", limit: call.limits.operationsPerRequest)
        if call.scope == .shared, elements.contains(where: { $0.object?["operationType"]?.string == "create" }) {
            throw ServerError(.accessDenied, "zones cannot be created in the shared database", .place(.database))
        }
        var named: [JSONValue] = []
        var operations: [ZoneOperation] = []
        for (index, element) in elements.enumerated() {
            let (json, operation) = try parse(element, at: index, call)
            if operations.contains(where: { zone(of: $0) == zone(of: operation) }) {
                throw ServerError.badRequest("operations name the zone '\(zone(of: operation).name)' more than once")
            }
            named.append(json)
            operations.append(operation)
        }
        let results =
            if case .shared(let user) = database {
                try await leave(operations, user, call)
            } else {
                try await call.store.zones.modify(
                    operations,
                    by: Requester(user: call.identity.caller.userRecordName, clientID: try call.clientID()),
                    limits: call.limits)
            }
        var writer = JSONWriter(capacity: 256 * results.count + 32)
        writer.object {
            $0.key("zones")
            $0.array {
                for index in results.indices {
                    switch results[index] {
                    case .success(let state?): $0.zone(state)
                    case .success(nil):
                        $0.object {
                            $0.key("zoneID")
                            zone(of: operations[index]).write(to: &$0)
                            $0.member("deleted", true)
                        }
                    case .failure(let error): $0.zoneError(named[index], error)
                    }
                }
            }
        }
        return writer
    }

    private static func leave(
        _ operations: [ZoneOperation], _ user: String, _ call: DatabaseCall
    ) async throws -> [Result<ZoneState?, ServerError>] {
        try await call.store.shares.leave(
            operations.map { zone(of: $0) }, as: user, clientID: try call.clientID(), limits: call.limits
        ).map { $0 ? .success(nil) : .failure(ServerError(.zoneNotFound, "Zone not found", .missing(.zone))) }
    }

    private static func zone(of operation: ZoneOperation) -> ZoneID {
        switch operation {
        case .create(let zone), .delete(let zone): zone
        }
    }

    private static func parse(
        _ element: JSONValue, at index: Int, _ call: DatabaseCall
    ) throws(ServerError) -> (JSONValue, ZoneOperation) {
        guard let object = element.object else {
            throw .badRequest("operations[\(index)] must be an object, not \(known: element.kind)")
        }
        guard let json = object["zone"]?.object?["zoneID"] else {
            throw .badRequest("operations[\(index)].zone.zoneID is missing")
        }
        let zone = try call.zone(json)
        switch object["operationType"]?.string {
        case "create": return (json, .create(zone))
        case "delete": return (json, .delete(zone))
        default: throw .badRequest("operations[\(index)].operationType must be 'create' or 'delete'")
        }
    }
}
