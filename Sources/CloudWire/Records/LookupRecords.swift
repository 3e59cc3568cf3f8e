import CloudModel
import CloudStore

extension RecordEndpoints {
    /// `records/lookup` (reference A §6).
    package static let lookup: ReadEndpoint = { call in
        let zone = try call.zone(call.body["zoneID"])
        let defaults = try Presentation().overridden(by: call.body)
        let elements = try call.elements("records", limit: call.limits.recordsPerResponse)
        var names: [String] = []
        var presentations: [Presentation] = []
        for (index, element) in elements.enumerated() {
            guard let object = element.object, let name = object["recordName"]?.string else {
                throw ServerError.badRequest("records[\(index)] must be an object with a recordName that is a string")
            }
            names.append(name)
            presentations.append(try defaults.overridden(by: object))
        }
        let request = LookupRequest(
            zone: zone, names: names, caller: call.identity.caller, presentations: presentations,
            allowance: call.allowance, trace: call.trace, show: call.shown)
        let size = { @Sendable (results: [Result<RecordBody, ServerError>]) in
            results.reduce(64) { $0 + ((try? $1.get().size) ?? 160) }
        }
        return call.read(call.store.records.read(request), zone: zone, size: size) { results, writer in
            for case .failure(let error) in results where error.code == .authenticationRequired { throw error }
            call.trace.note(rowsAnswered: results.count)
            writer.key("records")
            writer.array {
                for (name, result) in zip(request.names, results) {
                    switch result {
                    case .success(let body): $0.record(body)
                    case .failure(let error): $0.recordError(name, error)
                    }
                }
            }
        }
    }
}
