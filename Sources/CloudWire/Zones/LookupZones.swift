import CloudModel
import CloudStore

extension ZoneEndpoints {
    /// `zones/lookup` (reference A §7.2). Takes bare zone IDs, and `{zoneID}` objects of some clients.
    package static let lookup: ReadEndpoint = { call in
        _ = try call.database()
        let elements = try call.elements("zones", limit: call.limits.zonesPerRequest)
        let named = elements.map { $0.object?["zoneID"] ?? $0 }
        var zones: [Result<ZoneID, ServerError>] = []
        for json in named {
            do throws(ServerError) {
                zones.append(.success(try call.zone(json)))
            } catch {
                guard json.object?["zoneName"]?.string != nil else { throw error }
                zones.append(.failure(error))
            }
        }
        let read = call.store.zones.read(zones.compactMap { try? $0.get() }, for: call.identity.caller)
        return read.map { [zones] in written(named, zones, $0) }
    }

    /// - Parameter states: states of the well-formed zones, in request order.
    private static func written(
        _ named: [JSONValue], _ zones: [Result<ZoneID, ServerError>], _ states: [ZoneState?]
    ) -> JSONWriter {
        var states = states.makeIterator()
        let answers = zones.map { zone in
            zone.flatMap { _ in
                (states.next() ?? nil).map(Result.success)
                    ?? .failure(ServerError(.zoneNotFound, "Zone not found", .missing(.zone)))
            }
        }
        var writer = JSONWriter(capacity: 256 * answers.count + 32)
        writer.object {
            $0.key("zones")
            $0.array {
                for (json, answer) in zip(named, answers) {
                    switch answer {
                    case .success(let state): $0.zone(state)
                    case .failure(let error): $0.zoneError(json, error)
                    }
                }
            }
        }
        return writer
    }
}
