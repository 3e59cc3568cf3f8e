/// A query without its filters' operands: the part that determines its plan, given a schema and zone.
///
/// Names compare by their bytes, as in the schema.
package struct QueryShape: Hashable, Sendable {
    private let query: Query
    private let isStrict: Bool

    /// Nil unless each filter compares a field with a single value and each sort is by a plain field.
    ///
    /// - Parameter strict: whether unmarked fields are refused.
    package init?(_ query: Query, strict: Bool) {
        guard query.filters.allSatisfy({ $0.field != nil && $0.comparator.comparesOne }),
            query.sorts.allSatisfy({ $0.relativeLocation == nil })
        else { return nil }
        self.query = query
        isStrict = strict
    }

    private init(bare query: Query, _ isStrict: Bool) { (self.query, self.isStrict) = (query, isStrict) }

    /// The shape without operands, which may be large.
    package var bare: QueryShape { QueryShape(bare: query.withoutValues, isStrict) }

    package static func == (left: QueryShape, right: QueryShape) -> Bool {
        let (mine, theirs) = (left.query, right.query)
        return left.isStrict == right.isStrict && mine.recordType.isExactly(theirs.recordType)
            && mine.filters.count == theirs.filters.count && mine.sorts.count == theirs.sorts.count
            && mine.filters.indices.allSatisfy { isSame(mine.filters[$0], theirs.filters[$0]) }
            && mine.sorts.indices.allSatisfy {
                mine.sorts[$0].ascending == theirs.sorts[$0].ascending
                    && isSame(mine.sorts[$0].field, theirs.sorts[$0].field)
            }
    }

    private static func isSame(_ left: Query.Filter, _ right: Query.Filter) -> Bool {
        guard left.comparator == right.comparator, left.operand.tag == right.operand.tag else { return false }
        guard let field = left.field, let other = right.field else { return left.field == nil && right.field == nil }
        return isSame(field, other)
    }

    private static func isSame(_ left: Query.FieldName, _ right: Query.FieldName) -> Bool {
        switch (left, right) {
        case (.field(let field), .field(let other)): field.isExactly(other)
        case (.system(let field), .system(let other)): field == other
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ExactName(query.recordType))
        if case .field(let name)? = query.filters.first?.field { hasher.combine(ExactName(name)) }
        hasher.combine(query.filters.count &* 32 &+ query.sorts.count)
    }
}

extension Comparator {
    /// True for comparators that take a single value.
    fileprivate var comparesOne: Bool {
        switch self {
        case .equals, .notEquals, .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals: true
        default: false
        }
    }
}

extension Query {
    fileprivate var withoutValues: Query {
        Query(
            recordType: recordType,
            filters: filters.map { Filter($0.field, $0.comparator, Operand(value: .null, tag: $0.operand.tag)) },
            sorts: sorts)
    }
}

extension ResolvedQuery.Subject {
    /// The indexed form of an operand; nil for invalid values and for references.
    package func key(of value: JSONValue, zone: ZoneID) -> IndexKey? {
        guard type.kind != .reference else { return nil }
        return try? QueryResolver.key(value, self, FieldDecoder(recordType: "", zone: zone))
    }
}
