import CloudHTTP
import CloudAccounts
import CloudWire
import CloudModel
import CloudStore

/// Lists the pages of a user in one environment of a container.
struct OwnPages {
    let call: LinkEndpoints.Call

    private var store: EnvironmentStore { call.database.store }
    private static let zone = ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner)
    private static let language = PageLanguage.english

    /// The page with this ID; nil if missing or owned by another user.
    func find(_ id: String) async throws -> OwnPage? {
        if let share = try await store.sharePages.share(id), share.owner == call.owner { return try await own(share) }
        guard let record = try await PublishedRecords.find(id, in: store), record.creator == call.owner,
            let rule = try await rules().first(where: { $0.recordType == record.recordType })
        else { return nil }
        return try await own(record, rule)
    }

    /// Reads one page of the list: shares first, then public records by type.
    ///
    /// - Parameter marker: `{source}:{marker within it}` from the previous page.
    func page(after marker: String?, limit: Int) async throws -> (links: [OwnPage], next: String?) {
        let sources = try await rules()
        var (source, within) = try Self.place(marker, sources: sources.count + 1)
        var links: [OwnPage] = []
        while source <= sources.count {
            let room = limit - links.count
            let (found, next) =
                source == 0
                ? try await shares(after: within.flatMap { Int64($0) } ?? 0, limit: room)
                : try await records(sources[source - 1], after: within, limit: room)
            links += found
            if let next { return (links, "\(source):\(next)") }
            (source, within) = (source + 1, nil)
            if links.count >= limit { break }
        }
        return (links, source <= sources.count ? "\(source):" : nil)
    }

    private static func place(_ marker: String?, sources: Int) throws(ServerError) -> (Int, String?) {
        guard let marker else { return (0, nil) }
        let parts = marker.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let source = Int(parts[0]), (0..<sources).contains(source) else {
            throw .badRequest("continuationMarker is not from this list; ask again without one", .position(.unknown))
        }
        return (source, parts[1].isEmpty ? nil : String(parts[1]))
    }

    private func rules() async throws -> [PageRule] {
        try await call.site.accounts.pageRules.list(container: call.container.name).map(\.rule)
    }

    private func shares(after position: Int64, limit: Int) async throws -> (links: [OwnPage], next: String?) {
        let shares = try await store.sharePages.shares(owner: call.owner, after: position, limit: limit + 1)
        var links: [OwnPage] = []
        for share in shares.prefix(limit) { links.append(try await own(share)) }
        return (links, shares.count > limit ? String(shares[limit - 1].position) : nil)
    }

    private func own(_ share: OwnShare) async throws -> OwnPage {
        OwnPage(
            id: share.shortGUID, title: share.record.field("cloudkit.title")?.value.string ?? "",
            recordType: share.record.recordType, created: share.record.created,
            link: try await store.pageSettings.find(share.shortGUID, owner: call.owner))
    }

    private func records(
        _ rule: PageRule, after marker: String?, limit: Int
    ) async throws -> (links: [OwnPage], next: String?) {
        // A rule may precede the first record of its type.
        guard store.records.catalog.types[rule.recordType] != nil else { return ([], nil) }
        let page = try await store.queries.query(
            QueryRequest(
                zone: Self.zone, zoneWide: false,
                query: try Query.records(rule.recordType, createdBy: call.owner, limits: call.database.limits),
                continuationMarker: marker, limit: limit, strict: false, caller: call.database.identity.caller,
                limits: call.database.limits))
        var links: [OwnPage] = []
        for body in page.records { links.append(try await own(try PageRecord(body), rule)) }
        return (links, page.continuationMarker)
    }

    private func own(_ record: PageRecord, _ rule: PageRule) async throws -> OwnPage {
        OwnPage(
            id: record.recordName,
            title: Self.language.filled(rule.title, with: record) ?? record.recordType,
            recordType: record.recordType, created: record.created,
            link: try await store.pageSettings.find(record.recordName, owner: call.owner))
    }
}

extension Query {
    /// The user's records of a type, newest first.
    fileprivate static func records(_ type: String, createdBy user: String, limits: Limits) throws -> Query {
        var writer = JSONWriter()
        writer.object {
            $0.member("recordType", type)
            $0.key("filterBy")
            $0.object {
                $0.member("systemFieldName", "createdUserRecordName")
                $0.member("comparator", "EQUALS")
                $0.key("fieldValue")
                $0.object { $0.member("value", user) }
            }
            $0.key("sortBy")
            $0.object {
                $0.member("systemFieldName", "createdTimestamp")
                $0.member("ascending", false)
            }
        }
        return try Query(try JSONParser.parse(writer.bytes), limits: limits)
    }
}
