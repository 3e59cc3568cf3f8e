import CloudModel
import CloudSQL
import Synchronization

/// The plan shared by all queries of one shape in a zone, under one schema version: everything except the operands.
final class QueryOutline: Sendable {
    private struct Statement: Sendable {
        let sql: String
        let slots: [Slot]
    }

    /// A bound value of a statement.
    private enum Slot: Sendable {
        case zone
        /// A filter's operand, by index.
        case key(Int)
        /// The operand's index prefix.
        case prefix(Int, IndexPrefix)
    }

    let type: RecordType
    private let subjects: [ResolvedQuery.Subject]
    private let statements: [Statement]
    private let places: Int
    private let step: TrailStep
    private let fault: IndexFault?

    /// Nil if other operands could change the plan.
    init?(_ query: Query, _ prepared: PreparedQuery, zone: Int64, of owner: ZoneID, _ spelling: any SQLSpelling) {
        guard prepared.isCertain, let resolved = prepared.resolved else { return nil }
        type = prepared.type
        subjects = resolved.filters.map(\.subject)
        places = prepared.places
        (step, fault) = (prepared.step, prepared.fault)
        var slots = [Slot.zone]
        for (index, filter) in resolved.filters.enumerated() {
            let prefix = SchemaTables.indexPrefix(filter.subject, spelling)
            if let prefix, filter.comparator != .notEquals { slots.append(.prefix(index, prefix)) }
            slots.append(.key(index))
        }
        statements = prepared.statements.map { Statement(sql: $0.sql, slots: slots) }
        let again = self.prepared(query, zone: zone, of: owner)
        guard let again, again.statements.elementsEqual(prepared.statements, by: ==) else { return nil }
    }

    /// Applies the plan to a query; nil for a query of another shape, or with an invalid operand.
    func prepared(_ query: Query, zone: Int64, of owner: ZoneID) -> PreparedQuery? {
        guard query.filters.count == subjects.count else { return nil }
        var keys: [SQLValue] = []
        keys.reserveCapacity(subjects.count)
        for (filter, subject) in zip(query.filters, subjects) {
            guard let key = subject.key(of: filter.operand.value, zone: owner) else { return nil }
            keys.append(SQLValue(key))
        }
        let statements = statements.map { statement in
            QueryPlan.Statement(
                sql: statement.sql,
                values: statement.slots.map { slot in
                    switch slot {
                    case .zone: .integer(zone)
                    case .key(let index): keys[index]
                    case .prefix(let index, let prefix): prefix.of(keys[index])
                    }
                })
        }
        return PreparedQuery(type: type, statements: statements, places: places, step: step, fault: fault)
    }
}

/// A cache of query outlines under the current schema version.
final class QueryOutlines: Sendable {
    private struct State {
        var version: Int64 = 0
        var known = BoundedCache<QueryShape, QueryOutline>(capacity: 256)
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.known.entries.count } }

    func find(_ shape: QueryShape, version: Int64) -> QueryOutline? {
        state.withLock { $0.version == version ? $0.known[shape] : nil }
    }

    func store(_ outline: QueryOutline, of shape: QueryShape, version: Int64) {
        state.withLock { state in
            // Outlines of an older snapshot are useless.
            guard version >= state.version else { return }
            if version > state.version { state = State(version: version) }
            state.known[shape.bare] = outline
        }
    }
}
