import CloudModel
import CloudStore

/// The endpoints under `changes/`, and its older forms (reference A §8), one file per endpoint.
package enum ChangeEndpoints {}

extension DatabaseCall {
    /// Change feeds are the private and shared databases' (reference A §8.1).
    func requireChangeFeeds() throws(ServerError) {
        guard scope != .public else {
            throw .badRequest(
                "BadRequestException: endpoint not applicable in the database type 'publicdb'", .place(.database))
        }
    }

    /// One zone's request, its own options before those of the whole (reference A §8.3).
    ///
    /// - Parameter defaults: the options of the whole request.
    func zoneChanges(
        _ object: JSONObject, defaults: Result<ChangeOptions, ServerError>
    ) throws(ServerError) -> ZoneChangesRequest {
        guard let zoneID = object["zoneID"] else { throw .badRequest("zoneID is missing") }
        let zone = try zone(zoneID)
        let token = try text("syncToken", in: object)
        try fault?.refuse(syncToken: token)
        let options = try options(of: object, over: try defaults.get())
        let limit = if let limit = options.limit { limit } else { try resultsLimit(JSONObject()) }
        var request = ZoneChangesRequest(
            zone: zone, caller: identity.caller, syncToken: token, limit: limit, recordTypes: options.recordTypes,
            reverse: options.reverse)
        let presentation = options.presentation
        request.show = { try self.shown($0, presentation) }
        request.allowance = allowance
        return request
    }
}

extension JSONWriter {
    mutating func changesMembers(_ page: ZoneChangesPage) {
        key("records")
        array { for record in page.records { $0.record(record) } }
        member("syncToken", page.syncToken)
        member("moreComing", page.moreComing)
    }

    /// A zone that failed, inside an answer that did not (reference A §9.1).
    mutating func zoneError(_ zone: JSONValue, _ error: ServerError) {
        object {
            $0.key("zoneID")
            $0.value(zone)
            $0.errorMembers(error)
        }
    }
}
