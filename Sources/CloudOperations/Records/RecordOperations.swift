import CloudModel
import CloudStore

/// Operations on all users' records. Without `user` they apply to the public database.
package enum RecordOperations {
    private static let base = "{container}/{environment}/"
    private static let place = ["user", "zone"]
    /// Arguments of operations that also read the shared database.
    private static let view = place + ["database", "owner"]

    /// Users with private records.
    package static let owners = AdminOperation<Page<OwnerInfo>>(
        .get, base + "owners", .recordsRead, takes: ["after", "limit"], audit: .look("looked at the owners of records")
    ) { call in
        let (place, limit) = (try await call.place(), try call.arguments.limit())
        let found = try await place.store.browsing.owners(
            after: try call.arguments.optionalText("after") ?? "", limit: limit + 1)
        let people = try await call.accounts.people.users(
            found.map { .recordName($0.userRecordName) }, container: place.container.id)
        return Page(zip(found, people).map(OwnerInfo.init), limit: limit, key: \.userRecordName)
    }

    package static let zones = AdminOperation<Page<ZoneInfo>>(
        .get, base + "zones", .recordsRead, takes: ["user", "database", "after", "limit"],
        audit: .lookAtUser("looked at a user's zones")
    ) { call in
        if try RecordZone.isShared(call) {
            let (place, user) = try await RecordZone.viewer(call)
            let zones = try await place.store.zones.list(sharedWith: user).map(\.zone)
            return try page(of: zones.map { ZoneInfo(zone: $0.name, ownerRecordName: $0.owner) }, call)
        }
        let records = try await RecordZone(call)
        let custom = try await records.place.store.zones.list(owner: records.zone.owner).map(\.zone.name)
        let names = [ZoneID.defaultName] + custom.filter { $0 != ZoneID.defaultName }
        return try page(of: names.map { ZoneInfo(zone: $0, ownerRecordName: records.zone.owner) }, call)
    }

    /// Zones by owner and name; an owner's default zone comes first.
    private static func page(of zones: [ZoneInfo], _ call: OperationCall) throws(ServerError) -> Page<ZoneInfo> {
        try call.arguments.page(of: zones) {
            ListPlace($0.ownerRecordName, $0.zone == ZoneID.defaultName ? "0" : "1", $0.zone)
        }
    }

    /// Record types present in a zone, each counted to 10,000.
    package static let types = AdminOperation<Page<TypeInfo>>(
        .get, base + "types", .recordsRead, takes: view, audit: .lookAtUser("looked at the types in a user's zone")
    ) { call in
        let records = try await RecordZone(call)
        let counts = try await records.place.store.browsing.recordCounts(
            in: records.zone, for: records.caller, most: 10_000)
        return Page(items: counts.map { TypeInfo(recordType: $0.type, count: $0.count, isCut: $0.isCut) })
    }

    /// A page of a type's records in a zone, by creation, independent of index marks.
    package static let list = AdminOperation<RecordList>(
        .get, base + "records", .recordsRead, takes: view + ["type", "after", "limit"],
        audit: .lookAtUser("looked at a user's records")
    ) { call in
        let query = JSONObject([.init(key: "recordType", value: .string(try call.arguments.text("type")))])
        return try await page(.object(query), strict: false, after: "after", limit: "limit", call)
    }

    /// A page of query results; comparators and markers as in the client API.
    package static let query = AdminOperation<RecordList>(
        .post, base + "records/query", .recordsRead, takes: view + ["query", "continuationMarker", "resultsLimit"],
        audit: .lookAtUser("queried a user's records")
    ) { call in
        let isStrict = try await RecordZone(call).isStrict
        return try await page(
            call.arguments["query"], strict: isStrict, after: "continuationMarker", limit: "resultsLimit", call)
    }

    /// Limit on each kind of related record, for counting and listing.
    package static let mostSurroundings = 100

    /// A record with its referrers, cascaded deletions, position in the change feed and share.
    package static let show = AdminOperation<RecordInfo>(
        .get, base + "record", .recordsRead, takes: place + ["recordName"],
        audit: .lookAtUser("looked at a user's record")
    ) { call in
        let (records, name) = (try await RecordZone(call), try call.arguments.text("recordName"))
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

    /// Saves and deletes records, with operations in the client API's form.
    package static let modify = AdminOperation<ModifiedRecords>(
        .post, base + "records/modify", .recordsWrite, takes: place + ["operations", "atomic"],
        audit: .change("changed records")
    ) { try await RecordModification(call: $0).run() }

    /// Makes a URL for uploading a file. Save the upload's receipt as a field's value with `modify`.
    package static let upload = AdminOperation<UploadInfo>(
        .post, base + "assets/upload", .recordsWrite, takes: place, audit: .change("made a link to upload a file")
    ) { call in
        let records = try await RecordZone(call)
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
        _ query: JSONValue?, strict: Bool, after: String, limit: String, _ call: OperationCall
    ) async throws -> RecordList {
        let (records, limits) = (try await RecordZone(call), call.workplace.limits)
        let most = Int64(limits.recordsPerResponse)
        var request = QueryRequest(
            zone: records.zone, zoneWide: false, isShared: records.isShared, query: try Query(query, limits: limits),
            continuationMarker: try call.arguments.optionalText(after),
            limit: Int(min(try call.arguments.number(limit, in: 1...100_000) ?? 100, most)), strict: strict,
            caller: records.caller, limits: limits)
        request.trace = ReadClient.current?.trace
        request.show = { [shown = call.workplace.shown, place = records.place] in
            shown(place.container, place.environment, $0)
        }
        let page = try await records.place.store.queries.query(request)
        return RecordList(
            records: try page.records.map { .object(try $0.json()) }, next: page.continuationMarker)
    }
}
