/// A query resolved against the schema: all fields are known, all operands in indexed form.
package struct ResolvedQuery: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case field(FieldDefinition)
        case system(SystemField)

        package var type: FieldType {
            switch self {
            case .field(let field): field.type
            case .system(let field): field.type
            }
        }
    }

    package struct Filter: Hashable, Sendable {
        package let subject: Subject
        package let comparator: Comparator
        /// A single key, or several for comparators on lists.
        package let keys: [IndexKey]
        /// For references in queries over all zones.
        package var homes: [Home] = []
    }

    /// An operand's key within the zone that it names. In all other zones the key in `keys` applies.
    package struct Home: Hashable, Sendable {
        package let zone: ZoneID
        /// The operand's index in `keys`.
        package let operand: Int
        package let key: IndexKey
    }

    /// A search for words.
    package struct Search: Hashable, Sendable {
        /// Fields to search; a match in any field counts.
        package let fields: [FieldDefinition]
        /// Never empty.
        package let words: [String]
        /// True if the record must have every word, false if any word is enough.
        package let needsAll: Bool
    }

    /// A filter by distance.
    package struct Nearness: Hashable, Sendable {
        package let field: FieldDefinition
        package let circle: Circle
    }

    package struct Sort: Hashable, Sendable {
        package let subject: Subject
        package let ascending: Bool
        /// The origin for distances; nil to sort by the value itself.
        package let origin: Coordinate?
    }

    package let type: RecordType
    /// Comparisons of a single field. A record must satisfy all filters, searches and nearnesses.
    package private(set) var filters: [Filter] = []
    package private(set) var searches: [Search] = []
    package private(set) var nearnesses: [Nearness] = []
    package private(set) var sorts: [Sort] = []

    /// True if the query matches all records of the type.
    package var isUnfiltered: Bool { filters.isEmpty && searches.isEmpty && nearnesses.isEmpty }

    /// - Parameters:
    ///   - strict: refuse fields that the schema does not mark as indexed, like the original (reference A §5.6).
    ///   - zone: the zone that references in operands are relative to.
    ///   - zoneWide: whether the query covers all zones; references without a zone are then relative to each zone.
    package init(
        _ query: Query, catalog: Catalog, strict: Bool, zone: ZoneID, zoneWide: Bool = false, limits: Limits
    ) throws(ServerError) {
        guard let type = catalog.types[query.recordType], type.name.isExactly(query.recordType) else {
            throw ServerError(
                .notFound, "Did not find record type: \(Naming.shown(query.recordType))", .schema(.unknownType))
        }
        self.type = type
        let rules = IndexRules(type: type, isStrict: strict)
        if query.filters.isEmpty { try rules.requireListing() }
        let resolver = QueryResolver(
            type: type, rules: rules, decoder: FieldDecoder(recordType: type.name, zone: zone), zoneWide: zoneWide,
            limits: limits)
        for filter in query.filters {
            switch filter.comparator {
            case .containsAllTokens, .containsAnyTokens: searches.append(try resolver.search(filter))
            case .near: nearnesses.append(try resolver.nearness(filter))
            default: filters.append(try resolver.filter(filter))
            }
        }
        let operands =
            filters.reduce(0) { $0 + $1.keys.count } + searches.reduce(0) { $0 + $1.words.count } + nearnesses.count
        guard operands <= limits.operandsPerQuery else {
            throw .badRequest(
                "query has \(operands) operands, at most \(limits.operandsPerQuery) are allowed",
                .limit(limits.operandsPerQuery, "limit.operandsPerQuery"))
        }
        for sort in query.sorts {
            guard let resolved = try resolver.sort(sort) else { continue }
            // A repeated sort, by the same field or from the same origin, has no effect.
            let isKnown = sorts.contains { $0.subject == resolved.subject && $0.origin == resolved.origin }
            if !isKnown { sorts.append(resolved) }
        }
    }

    /// A text that is equal for equal queries; binds a continuation marker to its query.
    package var fingerprint: String {
        var text = "\(type.id)"
        for filter in filters {
            text += "|\(filter.subject.column) \(filter.comparator.rawValue) \(filter.keys) \(filter.homes)"
        }
        for search in searches { text += "|\(search.fields.map(\.id)) \(search.needsAll) \(search.words)" }
        for nearness in nearnesses { text += "|\(nearness.field.id) \(nearness.circle)" }
        for sort in sorts { text += "|\(sort.subject.column) \(sort.ascending) \(String(describing: sort.origin))" }
        return text
    }
}

extension ResolvedQuery.Subject {
    /// A column name for the field's values, safe in any language: the schema name for system fields, an ID for others.
    package var column: String {
        switch self {
        case .field(let field): "f\(field.id)"
        case .system(let field): field.rawValue
        }
    }
}
