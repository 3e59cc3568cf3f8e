import CloudModel
import CloudStore

extension ChangeEndpoints {
    /// `changes/database`: lists changed zones (reference A §8.4).
    package static let database: ReadEndpoint = { call in
        try call.requireChangeFeeds()
        // Without sync tokens: clients pass entries on to changes/zone, where such a token would skip all changes.
        return try respond(call, tokenKey: "syncToken") { _, _ in }
    }

    /// `zones/changes`: an older name, with its own token key (reference A §8.5).
    package static let zones: ReadEndpoint = { call in
        // The public database has no custom zones; older clients may still ask, and get an empty list (reference A §1.2).
        try respond(call, tokenKey: "metaSyncToken") { writer, zone in
            if zone.deleted { return }
            writer.member("syncToken", zone.syncToken)
            writer.member("atomic", true)
        }
    }

    /// - Parameter members: writes an entry's members besides `zoneID` and `deleted`.
    private static func respond(
        _ call: DatabaseCall, tokenKey: StaticString,
        members: @escaping @Sendable (inout JSONWriter, DatabaseChangesPage.Zone) -> Void
    ) throws -> StoreRead<JSONWriter> {
        let token = try call.body.optionalText("\(tokenKey)")
        try call.fault?.refuse(syncToken: token)
        let limit = try call.resultsLimit(call.body)
        let read =
            switch try call.database() {
            case .public: call.store.zones.readChanges(owner: ZoneID.publicOwner, syncToken: token, limit: limit)
            case .private(let owner): call.store.zones.readChanges(owner: owner, syncToken: token, limit: limit)
            case .shared(let user): call.store.zones.readChanges(sharedWith: user, syncToken: token, limit: limit)
            }
        return read.map { written($0, tokenKey: tokenKey, members: members) }
    }

    private static func written(
        _ page: DatabaseChangesPage, tokenKey: StaticString,
        members: (inout JSONWriter, DatabaseChangesPage.Zone) -> Void
    ) -> JSONWriter {
        var writer = JSONWriter(capacity: 256)
        writer.object {
            $0.key("zones")
            $0.array {
                for zone in page.zones {
                    $0.object {
                        $0.key("zoneID")
                        zone.zone.write(to: &$0)
                        members(&$0, zone)
                        $0.member("deleted", zone.deleted)
                    }
                }
            }
            $0.member("moreComing", page.moreComing)
            $0.key(tokenKey)
            $0.string(page.syncToken)
        }
        return writer
    }
}
