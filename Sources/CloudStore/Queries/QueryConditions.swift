import CloudModel
import CloudSQL

/// The filters of a query as SQL over a values table `v`. Records without a value match no filter, negated or not.
struct QueryConditions {
    struct Filter {
        let column: String
        /// The condition on one row `v`, whatever else there is.
        let condition: QueryCondition
        let access: Access
        /// What the column's index has of long values; nil for all.
        var prefix: IndexPrefix?
        /// For the column of names: the same asked of a row `n` of `records`, whose index finds it.
        var byName: QueryCondition?
        /// A subquery for the ids of all that match; nil where the index of the column finds them.
        var ids: QueryCondition?
        /// True if the ids may include records that do not match.
        var isLoose = false
        /// The same in the order of the ids, where a table has that.
        var stream: Stream?
    }

    /// Rows that lead to records in the order of their ids.
    struct Stream {
        let table: String
        /// The column that has the record's id.
        let id: String
        let condition: QueryCondition
    }

    /// The way an index would find the records of a filter, best first.
    enum Access: Int, Comparable {
        case equality, oneOf, list, words, range, none

        static func < (left: Access, right: Access) -> Bool { left.rawValue < right.rawValue }
    }

    let zone: QueryCondition
    let filters: [Filter]
    /// Searches that the index of words cannot answer yet: each record found is asked for its own words.
    let asides: [ResolvedQuery.Search]

    /// - Parameters:
    ///   - homes: the rows of the zones that references in the query name.
    ///   - creator: whose records alone count; nil for everybody's.
    /// - Throws: `BAD_REQUEST` for a search for more than the index of words takes at once.
    init(
        _ query: ResolvedQuery, zones: [Int64], homes: [ZoneID: Int64] = [:], creator: String?,
        _ dialect: any SQLDialect
    ) throws(ServerError) {
        zone = Self.oneOf("v.zone", zones.map(SQLValue.integer))
        var filters = query.filters.map { Self.filter($0, zones: zones, homes: homes, dialect) }
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

    /// All but the searches, which are asked of the record's own words, for one record.
    init(_ query: ResolvedQuery, zone: Int64, record: Int64, _ dialect: any SQLDialect) {
        self.zone = QueryCondition(sql: "v.zone = ? AND v.id = ?", values: [.integer(zone), .integer(record)])
        asides = []
        filters =
            query.filters.map { Self.filter($0, zones: [zone], homes: [:], dialect) }
            + query.nearnesses.map { Self.nearness($0, zones: [zone], dialect.locations) }
    }

    var all: QueryCondition { all(but: nil) }

    /// All of them, but for one that is seen to otherwise.
    func all(but index: Int?) -> QueryCondition {
        filters.indices.reduce(zone) { $1 == index ? $0 : $0 && filters[$1].condition }
    }

    /// All of them, where rows `n` of `records` lead by their names.
    func allByName(zones: [Int64]) -> QueryCondition {
        filters.reduce(Self.oneOf("n.zone", zones.map(SQLValue.integer))) { $0 && ($1.byName ?? $1.condition) }
    }

    /// All of them, where the ids of one filter lead.
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
        // Each term is looked up anew for each record that is asked about.
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
        _ filter: ResolvedQuery.Filter, zones: [Int64], homes: [ZoneID: Int64], _ dialect: any SQLDialect
    ) -> Filter {
        let column = SchemaTables.column(filter.subject)
        let keys = OperandKeys(filter, zones: homes)
        guard filter.comparator.appliesToLists else {
            let prefix = SchemaTables.indexPrefix(filter.subject, dialect)
            return Filter(
                column: column, condition: keys.condition(filter.comparator, "v.\(column)", zone: "v.zone", prefix),
                access: access(filter.comparator, keys), prefix: prefix,
                byName: column == SchemaTables.nameColumn
                    ? keys.condition(filter.comparator, "n.name", zone: "n.zone") : nil)
        }
        let list = ListCondition(filter, column: column, keys, dialect.indexPrefix)
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

    /// The condition that a column has one of some values; none has it where there are none.
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

    /// Text that starts with the operand: a range, since text is in the order of its scalars.
    static func prefix(_ column: String, _ keys: [SQLValue]) -> QueryCondition {
        guard case .text(let start)? = keys.first else { return QueryCondition(sql: "1 = 0", values: []) }
        guard let end = successor(of: start) else {
            return QueryCondition(sql: "\(column) >= ?", values: [.text(start)])
        }
        return QueryCondition(sql: "\(column) >= ? AND \(column) < ?", values: [.text(start), .text(end)])
    }

    /// The least text greater than everything that starts with `prefix`; nil when there is none.
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
