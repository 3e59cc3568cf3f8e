import CloudModel
import CloudStore

extension ChangeEndpoints {
    /// `changes/zone`: what changed in several zones, each with its own success or error (reference A §8.3).
    package static let zone: Endpoint = { call in
        try call.requireChangeFeeds()
        let elements = try call.elements("zones", limit: call.limits.zonesPerRequest)
        var writer = JSONWriter(capacity: 4096)
        let defaults = call.changeOptions
        var answers: [[UInt8]] = []
        for (index, element) in elements.enumerated() {
            guard let object = element.object else {
                throw ServerError.badRequest("zones[\(index)] must be an object, not \(element.kind)")
            }
            answers.append(try await answer(call, object, defaults))
        }
        writer.object {
            $0.key("zones")
            $0.array { for answer in answers { $0.verbatim(answer) } }
        }
        return writer
    }

    private static func answer(
        _ call: DatabaseCall, _ object: JSONObject, _ defaults: JSONObject
    ) async throws -> [UInt8] {
        do {
            let (request, presentation) = try call.zoneChanges(object, defaults: defaults)
            let (page, records) = try await call.changes(request, presentation)
            var writer = JSONWriter(capacity: records.reduce(512) { $0 + $1.count + 1 })
            writer.object {
                $0.key("zoneID")
                request.zone.write(to: &$0)
                $0.changesMembers(records, page)
            }
            return writer.bytes
        } catch let error as ServerError where error.code != .authenticationRequired && error.code != .throttled {
            guard let zone = object["zoneID"], zone.object?["zoneName"]?.string != nil else { throw error }
            var writer = JSONWriter()
            writer.zoneError(zone, error)
            return writer.bytes
        }
    }
}
