import CloudAccounts
import CloudModel
import CloudStore

/// Operations on all users' records. Without `user` they apply to the public database.
package enum RecordOperations {
    package static let owners = AdminOperation<EnvironmentPage, Page<OwnerInfo>>(
        .get("owners", .recordsRead, inside: .environment),
        OperationText("listOwners", "The users with private records."), audit: .look("looked at the owners of records")
    ) { call, input in
        let (place, limit) = (try await call.place(input.place), Int(input.page.limit))
        let found = try await place.store.browsing.owners(after: input.page.after ?? "", limit: limit + 1)
        let people = try await call.accounts.people.users(
            found.map { .recordName($0.userRecordName) }, container: place.container.id)
        return Page(zip(found, people).map(OwnerInfo.init), limit: limit, key: \.userRecordName)
    }

    package static let zones = AdminOperation<DatabasePage, Page<ZoneInfo>>(
        .get("zones", .recordsRead, inside: .environment),
        OperationText("listOwnerZones", "The zones of a database."), audit: .lookAtUser("looked at a user's zones")
    ) { call, input in
        let address = ZoneAddress(place: input.place, user: input.user, zone: nil, database: input.database, owner: nil)
        if address.isShared {
            let (place, user) = try await RecordZone.viewer(address, call)
            let zones = try await place.store.zones.list(sharedWith: user).map(\.zone)
            return try page(of: zones.map { ZoneInfo(zone: $0.name, ownerRecordName: $0.owner) }, input.page)
        }
        let records = try await RecordZone(address, call)
        let custom = try await records.place.store.zones.list(owner: records.zone.owner).map(\.zone.name)
        let names = [ZoneID.defaultName] + custom.filter { $0 != ZoneID.defaultName }
        return try page(of: names.map { ZoneInfo(zone: $0, ownerRecordName: records.zone.owner) }, input.page)
    }

    /// Zones by owner and name; an owner's default zone comes first.
    private static func page(of zones: [ZoneInfo], _ page: PageChoice) throws(ServerError) -> Page<ZoneInfo> {
        try page.page(of: zones) {
            ListPlace($0.ownerRecordName, $0.zone == ZoneID.defaultName ? "0" : "1", $0.zone)
        }
    }

    package static let types = AdminOperation<ZoneAddress, Page<TypeInfo>>(
        .get("types", .recordsRead, inside: .environment),
        OperationText("listZoneTypes", "The record types present in a zone, each counted to 10,000."),
        audit: .lookAtUser("looked at the types in a user's zone")
    ) { call, input in
        let records = try await RecordZone(input, call)
        let counts = try await records.place.store.browsing.recordCounts(
            in: records.zone, for: records.caller, most: 10_000)
        return Page(items: counts.map { TypeInfo(recordType: $0.type, count: $0.count, isCut: $0.isCut) })
    }

    package static let list = AdminOperation<RecordPageChoice, RecordList>(
        .get("records", .recordsRead, inside: .environment),
        OperationText(
            "listZoneRecords", "A type's records in a zone, by creation, independent of index marks."),
        audit: .lookAtUser("looked at a user's records")
    ) { call, input in
        let query = JSONObject([.init(key: "recordType", value: .string(input.type))])
        return try await page(.object(query), await RecordZone(input.zone, call), strict: false, input.page, call)
    }

    package static let query = AdminOperation<RecordQueryChoice, RecordList>(
        .post("records/query", .recordsRead, inside: .environment),
        OperationText("queryZoneRecords", "A page of query results."), audit: .lookAtUser("queried a user's records")
    ) { call, input in
        let records = try await RecordZone(input.zone, call)
        return try await page(input.query, records, strict: records.isStrict, input.page, call)
    }

    /// Limit on each kind of related record, for counting and listing.
    package static let mostSurroundings = 100

    package static let show = AdminOperation<RecordChoice, RecordInfo>(
        .get("record", .recordsRead, inside: .environment),
        OperationText(
            "showRecord", "A record with its referrers, cascaded deletions, position in the change feed and share."),
        audit: .lookAtUser("looked at a user's record")
    ) { call, input in
        let (records, name) = (try await RecordZone(input.zone.any, call), input.recordName)
        let found = try await records.place.store.records.lookup(
            LookupRequest(zone: records.zone, names: [name], caller: records.caller))
        guard let body = try found.first?.get() else {
            throw ServerError(.notFound, "Record not found", .missing(.record))
        }
        let store = records.place.store
        let referrers = try await store.browsing.referrers(of: name, in: records.zone, limit: mostSurroundings)
        let around = try await store.browsing.surroundings(of: name, in: records.zone, most: mostSurroundings)
        var share: ShareInfo?
        if let found = around?.share { share = try await ShareOperations.info(found, records.place, call) }
        return RecordInfo(
            record: try records.shown(body, call), referrers: referrers.map(ReferrerInfo.init),
            goesAlong: Array((around?.goesAlong ?? []).prefix(mostSurroundings)),
            laterChanges: around?.laterChanges.map { min($0, mostSurroundings) }, share: share,
            assets: try await assets(of: body, store))
    }

    private static func assets(of body: RecordBody, _ store: EnvironmentStore) async throws -> [AssetInfo] {
        let fields = try body.json()["fields"]?.object?.members ?? []
        let values = fields.compactMap { $0.value.object?["value"] }.flatMap { $0.array ?? [$0] }
        let keys = values.compactMap { $0.object?["fileChecksum"]?.string }.compactMap { AssetKey($0) }
        var assets: [AssetInfo] = []
        for key in keys.prefix(mostSurroundings) {
            guard let asset = try await store.browsing.file(key) else { continue }
            assets.append(
                AssetInfo(
                    fileChecksum: key.fileChecksum, contentType: asset.contentType, width: asset.imageSize?.width,
                    height: asset.imageSize?.height))
        }
        return assets
    }

    package static let modify = AdminOperation<RecordChanges, ModifiedRecords>(
        .post("records/modify", .recordsWrite, inside: .environment),
        OperationText(
            "modifyZoneRecords",
            "Save and delete records. The author is `_operator` in the public database, whom grants do not bind, and in a private database its owner.",
            "The answer has a saved record's name and tag, and the whole record only with records:read."),
        audit: .change("changed records")
    ) { try await RecordModification(call: $0, changes: $1).run() }

    package static let upload = AdminOperation<ZoneChoice, UploadInfo>(
        .post("assets/upload", .recordsWrite, inside: .environment),
        OperationText(
            "makeUploadLink",
            "A link for uploading a file within 15 minutes. The upload's receipt is the value of a field for `records/modify`."
        ),
        audit: .change("made a link to upload a file")
    ) { call, input in
        let records = try await RecordZone(input.any, call)
        guard let link = call.workplace.uploadLink, let user = records.caller.userRecordName else {
            throw ServerError(.internalError, "an upload was asked for beside its server", .server(.fault))
        }
        try await records.place.store.assets.checkRoom(of: user, owner: records.zone.owner, from: nil)
        return UploadInfo(
            url: link(
                records.place.container, records.place.environment,
                UploadTicket(owner: records.zone.owner, user: user)))
    }

    private static func page(
        _ query: JSONValue?, _ records: RecordZone, strict: Bool, _ page: any ResultPage, _ call: OperationCall
    ) async throws -> RecordList {
        let limits = call.workplace.limits
        var request = QueryRequest(
            zone: records.zone, zoneWide: false, isShared: records.isShared, query: try Query(query, limits: limits),
            continuationMarker: page.marker, limit: Int(min(page.limit, Int64(limits.recordsPerResponse))),
            strict: strict, caller: records.caller, limits: limits)
        request.trace = ReadClient.current?.trace
        request.show = { [shown = call.workplace.shown, place = records.place] in
            shown(place.container, place.environment, $0)
        }
        let page = try await records.place.store.queries.query(request)
        return RecordList(
            records: try page.records.map { .object(try $0.json()) }, next: page.continuationMarker)
    }
}
