import CloudModel
import CloudSQL

/// A query's filters as SQL over a values table `v`. Records without a value match no filter, negated or not.
struct QueryConditions {
    struct Filter {
        let column: String
        /// The condition on a single row `v`.
        let condition: QueryCondition
        let access: Access
        /// The prefix of long values in the column's index; nil for whole values.
        var prefix: IndexPrefix?
        /// For the name column: the same condition on a row `n` of `records`, which has an index of names.
        var byName: QueryCondition?
        /// A subquery for the ids of matches; nil if the column's index finds them.
        var ids: QueryCondition?
        /// True if the ids may include records that do not match.
        var isLoose = false
        /// The matches by ascending id, if a table has this order.
        var stream: Stream?
    }

    /// Table rows that lead to records by ascending id.
    struct Stream {
        let table: String
        /// The column of record ids.
        let id: String
        let condition: QueryCondition
    }

    /// The ways in which an index finds a filter's records, best first.
    enum Access: Int, Comparable {
        case equality, oneOf, list, words, range, none

        static func < (left: Access, right: Access) -> Bool { left.rawValue < right.rawValue }
    }

    let zone: QueryCondition
    let filters: [Filter]
    /// Searches over fields without a finished word index: checked against each record's own words.
    let asides: [ResolvedQuery.Search]

    /// - Parameters:
    ///   - homes: row ids of zones named in the query's references.
    ///   - creator: restricts the query to this user's records; nil for all records.
    /// - Throws: `BAD_REQUEST` for a search with too many terms for the word index.
    init(
        _ query: ResolvedQuery, zones: [Int64], homes: [ZoneID: Int64] = [:], creator: String?,
        _ dialect: any SQLDialect
    ) throws(ServerError) {
        zone = Self.oneOf("v.zone", zones.map(SQLValue.integer))
        var filters = query.filters.map { Self.filter($0, zones: zones, homes: homes, dialect.spelling) }
        var asides: [ResolvedQuery.Search] = []
        for search in query.searches {
            let filter = try Self.search(search, zones: zones, dialect.words)
            if search.fields.allSatisfy(query.type.hasWords) { filters.append(filter) } else { asides.append(search) }
        }
        self.asides = asides
        filters += query.nearnesses.map { Self.nearness($0, zones: zones, dialect.locations) }
        if let creator {
            filters.append(
                Filter(
                    column: "created_by",
                    condition: QueryCondition(sql: "v.created_by = ?", values: [.text(creator)]), access: .equality))
        }
        self.filters = filters
    }

    /// The filters for one record, without the searches, which are checked against the record's own words.
    init(_ query: ResolvedQuery, zone: Int64, record: Int64, _ dialect: any SQLDialect) {
        self.zone = QueryCondition(sql: "v.zone = ? AND v.id = ?", values: [.integer(zone), .integer(record)])
        asides = []
        filters =
            query.filters.map { Self.filter($0, zones: [zone], homes: [:], dialect.spelling) }
            + query.nearnesses.map { Self.nearness($0, zones: [zone], dialect.locations) }
    }

    var all: QueryCondition { all(but: nil) }

    /// The conjunction of the filters, except the one at `index`.
    func all(but index: Int?) -> QueryCondition {
        filters.indices.reduce(zone) { $1 == index ? $0 : $0 && filters[$1].condition }
    }

    /// The conjunction of the filters, with rows `n` of `records` leading by name.
    func allByName(zones: [Int64]) -> QueryCondition {
        filters.reduce(Self.oneOf("n.zone", zones.map(SQLValue.integer))) { $0 && ($1.byName ?? $1.condition) }
    }

    /// The conjunction of the filters, led by one filter's ids.
    func all(ledBy index: Int) -> QueryCondition {
        let others = all(but: filters[index].isLoose ? nil : index)
        guard let ids = filters[index].ids else { return others }
        return QueryCondition(sql: "v.id IN (\(ids.sql))", values: ids.values) && others
    }

    private static func search(
        _ search: ResolvedQuery.Search, zones: [Int64], _ words: any WordIndex
    ) throws(ServerError) -> Filter {
        guard !zones.isEmpty else {
            return Filter(column: "id", condition: QueryCondition(sql: "1 = 0", values: []), access: .none)
        }
        let groups = try WordMatch.groups(search, zones: zones)
        let (match, values) = words.match(groups, alias: words.table)
        let from = "FROM \(words.table) WHERE \(match)"
        let ids = QueryCondition(sql: "SELECT \(words.record) \(from)", values: values)
        // EXISTS looks up each term again for every record.
        let isShort = WordMatch.terms(search, zones: zones) <= WordMatch.fewTerms
        return Filter(
            column: "id",
            condition: QueryCondition(
                sql: isShort
                    ? "EXISTS (SELECT 1 \(from) AND \(words.record) = v.id)" : "v.id IN (\(ids.sql))",
                values: values),
            access: .words, ids: ids,
            stream: zones.count > 1
                ? nil
                : Stream(
                    table: "\(words.table) w", id: "w.\(words.record)",
                    condition: QueryCondition(sql: words.match(groups, alias: "w").sql, values: values)))
    }

    private static func nearness(
        _ nearness: ResolvedQuery.Nearness, zones: [Int64], _ index: any LocationIndex
    ) -> Filter {
        let (circle, field) = (nearness.circle, nearness.field.id)
        let inside = LocationSearch.isInside(circle, "p")
        return Filter(
            column: "id",
            condition: inside.with(
                sql:
                    "EXISTS (SELECT 1 FROM locations p WHERE p.record = v.id AND p.field = \(field) AND \(inside.sql))"
            ),
            access: .list, ids: LocationSearch.records(in: circle, field: field, zones: zones, index))
    }

    private static func filter(
        _ filter: ResolvedQuery.Filter, zones: [Int64], homes: [ZoneID: Int64], _ spelling: any SQLSpelling
    ) -> Filter {
        let column = SchemaTables.column(filter.subject)
        let keys = OperandKeys(filter, zones: homes)
        guard filter.comparator.appliesToLists else {
            let prefix = SchemaTables.indexPrefix(filter.subject, spelling)
            return Filter(
                column: column, condition: keys.condition(filter.comparator, "v.\(column)", zone: "v.zone", prefix),
                access: access(filter.comparator, keys), prefix: prefix,
                byName: column == SchemaTables.nameColumn
                    ? keys.condition(filter.comparator, "n.name", zone: "n.zone") : nil)
        }
        let list = ListCondition(filter, column: column, keys, spelling.indexPrefix)
        guard list.isPositive else { return Filter(column: column, condition: list.condition, access: .none) }
        return Filter(
            column: column, condition: list.condition, access: .list, ids: list.ids(zones: zones),
            isLoose: list.needsSeveral, stream: zones.count == 1 ? list.stream(zone: zones[0]) : nil)
    }

    private static func access(_ comparator: Comparator, _ keys: OperandKeys) -> Access {
        switch comparator {
        case .equals: keys.homes.isEmpty ? .equality : .oneOf
        case .in: .oneOf
        case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals, .beginsWith: .range
        default: .none
        }
    }

    /// SQL for a column equal to any given value; false for an empty list.
    static func oneOf(_ column: String, _ values: [SQLValue]) -> QueryCondition {
        switch values.count {
        case 0: QueryCondition(sql: "1 = 0", values: [])
        case 1: QueryCondition(sql: "\(column) = ?", values: values)
        default: QueryCondition(sql: "\(column) IN (\(places(values)))", values: values)
        }
    }

    static func places(_ values: [SQLValue]) -> String {
        String(repeating: "?, ", count: max(values.count - 1, 0)) + (values.isEmpty ? "" : "?")
    }

    /// Text with the operand as prefix: a range, since text is sorted by its scalars.
    static func prefix(_ column: String, _ keys: [SQLValue]) -> QueryCondition {
        guard case .text(let start)? = keys.first else { return QueryCondition(sql: "1 = 0", values: []) }
        guard let end = successor(of: start) else {
            return QueryCondition(sql: "\(column) >= ?", values: [.text(start)])
        }
        return QueryCondition(sql: "\(column) >= ? AND \(column) < ?", values: [.text(start), .text(end)])
    }

    /// The least text greater than all texts with this prefix; nil without one.
    static func successor(of prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            scalars.append(scalar)
            return String(String.UnicodeScalarView(scalars))
        }
        return nil
    }
}
