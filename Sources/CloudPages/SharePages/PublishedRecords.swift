import CloudModel
import CloudStore

/// Public records behind a page with a page rule.
struct PublishedRecords: Sendable {
    let store: EnvironmentStore
    let rule: PageRule
    let root: PageRecord
    let limits: Limits

    private static let zone = ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner)

    /// The named record, if the public may read it.
    static func find(_ name: String, in store: EnvironmentStore) async throws -> PageRecord? {
        let request = LookupRequest(zone: zone, names: [name], caller: .world)
        guard case .success(let body)? = try await store.records.lookup(request).first else { return nil }
        return try PageRecord(body)
    }

    /// Reads a page of items, in the rule's order.
    ///
    /// - Parameters:
    ///   - names: restricts the items; nil for all.
    ///   - onlyWithFiles: true to omit items without files.
    ///   - marker: the end of the previous page.
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
            let page = try await store.queries.query(request)
            return (try page.records.map { try PageRecord($0) }, page.continuationMarker)
        } catch let error as ServerError where [.accessDenied, .authenticationRequired].contains(error.code) {
            // The public may not read the item type: show the page without items.
            return ([], nil)
        }
    }

    /// True if the record satisfies the rule for items.
    func isItem(_ record: PageRecord) -> Bool {
        guard let items = rule.items, record.recordType == items.recordType,
            items.isOpen || record.creator == root.creator
        else { return false }
        switch items.join {
        case .field(let field, let equals):
            guard let value = record.field(field)?.value, let wanted = joined(equals) else { return false }
            // Compares text bytes, like the query for items.
            if let text = value.string { return text.isExactly(wanted.string) }
            return value == wanted
        case .reference(let field):
            return root.recordName.isExactly(record.field(field)?.value.object?["recordName"]?.string)
        case .parent: return root.recordName.isExactly(record.parent)
        }
    }

    /// The required value of the items' join field: a field of the root record, or its record name.
    private func joined(_ field: String?) -> JSONValue? {
        guard let field else { return .string(root.recordName) }
        return root.field(field)?.value
    }

    /// The query for items; nil before the schema has the item type and the join field, since a rule may precede them.
    ///
    /// Matches only items by the page's creator, unless the rule is open: any signed-in user may create public records.
    private func query(_ items: PageItemsRule, named names: [String]?) throws -> Query? {
        guard let type = store.records.catalog.types[items.recordType] else { return nil }
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
