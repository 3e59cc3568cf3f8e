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

    /// The options that the body gives for all its zones.
    var changeOptions: JSONObject {
        JSONObject(
            body.members.filter {
                switch $0.key {
                case "resultsLimit", "desiredKeys", "numbersAsStrings", "numberAsStrings", "desiredRecordTypes",
                    "reverse":
                    true
                default: false
                }
            })
    }

    /// One zone's request, its own options before those of the whole (reference A §8.3).
    ///
    /// - Parameter defaults: the options of the whole request, from ``changeOptions``.
    func zoneChanges(
        _ object: JSONObject, defaults: JSONObject
    ) throws(ServerError) -> ZoneChangesRequest {
        guard let zoneID = object["zoneID"] else { throw .badRequest("zoneID is missing") }
        let zone = try zone(zoneID)
        let token = try text("syncToken", in: object)
        try fault?.refuse(syncToken: token)
        let options = JSONObject(defaults.members + object.members.filter { $0.value != .null })
        var request = ZoneChangesRequest(
            zone: zone, caller: identity.caller, syncToken: token,
            limit: try resultsLimit(options),
            recordTypes: try recordTypes(options), reverse: try flag("reverse", in: options) ?? false)
        let presentation = try Presentation().overridden(by: options)
        request.show = { try shown($0, presentation) }
        request.allowance = allowance
        return request
    }

    private func recordTypes(_ object: JSONObject) throws(ServerError) -> Set<String>? {
        guard let value = object["desiredRecordTypes"] else { return nil }
        guard let names = value.array?.compactMap(\.string), names.count == value.array?.count else {
            throw .badRequest("desiredRecordTypes must be an array of strings, not \(known: value.kind)")
        }
        return Set(names)
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
