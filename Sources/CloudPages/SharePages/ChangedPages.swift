import CloudAccounts
import CloudModel
import CloudStore

/// Finds the pages that a commit may have changed.
struct ChangedPages: Sendable {
    /// A page whose pictures are to be prepared.
    enum Page: Hashable, Sendable {
        /// The short GUID of a share.
        case share(String)
        /// The name of a public record.
        case published(String)
    }

    /// The most public records of a commit that are looked at, and the most pages of one joined value.
    private static let (mostRecords, mostJoined) = (200, 10)
    private static let zone = ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner)

    let store: EnvironmentStore
    let rules: [PageRule]
    let limits: Limits

    /// The pages, each with the name of its owner.
    func find(_ changes: [PageChange]) async throws -> [(page: Page, owner: String)] {
        var (shares, records): ([Int64], [Int64]) = ([], [])
        var (names, settled): ([String], [String]) = ([], [])
        for change in changes {
            switch change {
            case .share(let id): shares.append(id)
            case .record(let id): records.append(id)
            case .published(let name): names.append(name)
            case .settings(let id): settled.append(id)
            }
        }
        var pages: [(page: Page, owner: String)] = []
        for id in settled {
            if let share = try await store.sharePages.share(id) {
                pages.append((.share(share.shortGUID), share.owner))
            } else {
                names.append(id)
            }
        }
        if !shares.isEmpty || !records.isEmpty {
            pages += try await store.sharePages.shares(shares, showing: records).map {
                (.share($0.shortGUID), $0.owner)
            }
        }
        if !names.isEmpty, !rules.isEmpty { pages += try await published(names) }
        return pages
    }

    private func published(_ names: [String]) async throws -> [(page: Page, owner: String)] {
        let request = LookupRequest(zone: Self.zone, names: Array(names.prefix(Self.mostRecords)), caller: .world)
        var pages: [(page: Page, owner: String)] = []
        var values: Set<JSONValue> = []
        for case .success(let body) in try await store.records.lookup(request) {
            let record = try PageRecord(body)
            for rule in rules {
                if rule.recordType == record.recordType {
                    pages.append((.published(record.recordName), record.creator))
                }
                guard let items = rule.items, items.recordType == record.recordType else { continue }
                switch items.join {
                case .parent: if let parent = record.parent { pages.append((.published(parent), record.creator)) }
                case .reference(let field):
                    if let name = record.field(field)?.value.object?["recordName"]?.string {
                        pages.append((.published(name), record.creator))
                    }
                case .field(let field, let equals):
                    guard let value = record.field(field)?.value, values.insert(value).inserted else { continue }
                    pages += try await roots(of: rule.recordType, equals, value).map { ($0, record.creator) }
                }
            }
        }
        return pages
    }

    /// Pages whose records have a value in a field; the page of this name without a field.
    private func roots(of type: String, _ field: String?, _ value: JSONValue) async throws -> [Page] {
        guard let field else { return value.string.map { [.published($0)] } ?? [] }
        guard store.records.catalog.types[type]?.fields[field] != nil else { return [] }
        let filter = JSONValue.members([
            "fieldName": .string(field), "comparator": .string(Comparator.equals.rawValue),
            "fieldValue": .members(["value": value]),
        ])
        do {
            // A search without an index would cost more than it saves.
            let page = try await store.queries.query(
                QueryRequest(
                    zone: Self.zone, zoneWide: false,
                    query: try Query(
                        .members(["recordType": .string(type), "filterBy": .array([filter])]), limits: limits),
                    continuationMarker: nil, limit: Self.mostJoined, strict: true, caller: .world, limits: limits))
            return try page.records.map { .published(try PageRecord($0).recordName) }
        } catch is ServerError { return [] }
    }
}
