import CloudHTTP
import CloudModel
import CloudStore

/// Endpoints under `changes/` with their predecessors (reference A §8), one file per endpoint.
package enum ChangeEndpoints {}

extension DatabaseCall {
    /// Refuses the public database, which has no change feeds (reference A §8.1).
    func requireChangeFeeds() throws(ServerError) {
        guard scope != .public else {
            throw .badRequest(
                "BadRequestException: endpoint not applicable in the database type 'publicdb'", .place(.database))
        }
    }

    /// Parses the request for one zone, whose options override the request's (reference A §8.3).
    ///
    /// - Parameter defaults: options of the whole request.
    func zoneChanges(
        _ object: JSONObject, defaults: Result<ChangeOptions, ServerError>
    ) throws(ServerError) -> ZoneChangesRequest {
        guard let zoneID = object["zoneID"] else { throw .badRequest("zoneID is missing") }
        let zone = try zone(zoneID)
        let token = try object.optionalText("syncToken")
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

    /// Writes the error of one zone within a successful answer (reference A §9.1).
    mutating func zoneError(_ zone: JSONValue, _ error: ServerError) {
        object {
            $0.key("zoneID")
            $0.value(zone)
            $0.errorMembers(error)
        }
    }
}
