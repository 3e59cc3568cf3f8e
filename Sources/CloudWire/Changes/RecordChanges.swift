import CloudModel
import CloudStore

extension ChangeEndpoints {
    /// `records/changes`: the predecessor of `changes/zone`, for one custom zone (reference A §8.2).
    package static let records: ReadEndpoint = { call in
        try call.requireChangeFeeds()
        var object = call.body
        // Older clients omit the zone for the default zone, which has no change feed.
        if object["zoneID"] == nil { object.set("zoneID", .object(JSONObject([defaultZone]))) }
        let request = try call.zoneChanges(object, defaults: .success(ChangeOptions()))
        return call.store.changes.read(request).map { page in
            var writer = JSONWriter(capacity: page.records.reduce(256) { $0 + $1.size + 1 })
            writer.object { $0.changesMembers(page) }
            return writer
        }
    }

    private static let defaultZone = JSONObject.Member(key: "zoneName", value: .string(ZoneID.defaultName))
}
