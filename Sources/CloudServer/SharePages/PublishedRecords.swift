import CloudModel
import CloudStore

/// The public records behind a page that a rule describes.
struct PublishedRecords: Sendable {
    let store: any EnvironmentStore
    let rule: PageRule
    let root: PageRecord
    let limits: Limits

    private static let zone = ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner)

    /// The record of this name, if everybody may read it.
    static func find(_ name: String, in store: any EnvironmentStore) async throws -> PageRecord? {
        let request = LookupRequest(zone: zone, names: [name], caller: .world)
        guard case .success(let body)? = try await store.lookup(request).first else { return nil }
        return try PageRecord(body)
    }

    /// One page of the items, in the order the rule gives them.
    ///
    /// - Parameters:
    ///   - names: of the items that are wanted; nil for all.
    ///   - onlyWithFiles: whether items without files are left out.
    ///   - marker: where an earlier page ended.
    func items(
        named names: [String]? = nil, onlyWithFiles: Bool = false, after marker: String?, limit: Int
    ) async throws -> (records: [PageRecord], next: String?) {
        var limits = limits
        let most = max(limits.operandsPerFilter, names?.count ?? 0)
        (limits.operandsPerFilter, limits.operandsPerQuery) = (most, limits.operandsPerQuery + most)
        guard let items = rule.items, !onlyWithFiles || items.asset != nil, let query = try query(items, named: names)
        else { return ([], nil) }
        var request = QueryRequest(
            zone: Self.zone, zoneWide: false, query: query, continuationMarker: marker, limit: limit, strict: false,
            caller: .world, limits: limits)
        request.onlyWithFiles = onlyWithFiles
        request.allowance = ResponseAllowance(limit: limits.responseBytes)
        do {
            let page = try await store.query(request)
            return (try page.records.map { try PageRecord($0) }, page.continuationMarker)
        } catch let error as ServerError where [.accessDenied, .authenticationRequired].contains(error.code) {
            // Not everybody may read the items' type; the page is there without them.
            return ([], nil)
        }
    }

    /// Returns true if the record is one of the items.
    func isItem(_ record: PageRecord) -> Bool {
        guard let items = rule.items, record.recordType == items.recordType,
            items.isOpen || record.creator == root.creator
        else { return false }
        switch items.join {
        case .field(let field, let equals):
            guard let value = record.field(field)?.value, let wanted = joined(equals) else { return false }
            // Texts by their bytes, as the query for the items does.
            if let text = value.string { return text.isExactly(wanted.string) }
            return value == wanted
        case .reference(let field):
            return root.recordName.isExactly(record.field(field)?.value.object?["recordName"]?.string)
        case .parent: return root.recordName.isExactly(record.parent)
        }
    }

    /// The value that the items' field has to have: a value of the page's own record, or its name.
    private func joined(_ field: String?) -> JSONValue? {
        guard let field else { return .string(root.recordName) }
        return root.field(field)?.value
    }

    /// The items as a query; nil when nothing can be one. Only those of the one who made the page count, unless the
    /// rule says otherwise: anybody who is signed in may make records.
    ///
    /// A rule may be there before the first record of the items' type, or before one with the fields it names.
    private func query(_ items: PageItemsRule, named names: [String]?) throws -> Query? {
        guard let type = store.catalog.types[items.recordType] else { return nil }
        var filters: [JSONValue] = []
        switch items.join {
        case .field(let field, let equals):
            guard type.fields[field] != nil, let value = joined(equals) else { return nil }
            filters.append(Self.filter("fieldName", field, value))
        case .reference(let field):
            guard type.fields[field] != nil else { return nil }
            filters.append(Self.filter("fieldName", field, .string(root.recordName)))
        case .parent: filters.append(Self.filter("systemFieldName", "parent", .string(root.recordName)))
        }
        if !items.isOpen {
            filters.append(Self.filter("systemFieldName", "createdUserRecordName", .string(root.creator)))
        }
        if let names {
            filters.append(
                Self.filter("systemFieldName", "recordName", .array(names.map(JSONValue.string)), comparator: .in))
        }
        let sorts: [JSONValue] =
            items.sortBy.flatMap { type.fields[$0]?.name }.map {
                [.members(["fieldName": .string($0), "ascending": .bool(items.isAscending)])]
            } ?? []
        return try Query(
            .members(["recordType": .string(items.recordType), "filterBy": .array(filters), "sortBy": .array(sorts)]),
            limits: limits)
    }

    private static func filter(
        _ key: String, _ name: String, _ value: JSONValue, comparator: Comparator = .equals
    ) -> JSONValue {
        .members([
            key: .string(name), "comparator": .string(comparator.rawValue), "fieldValue": .members(["value": value]),
        ])
    }
}
