import CloudModel
import CloudSQL

/// The reading that a search for holders may still do: rows, and statements that go one level up each.
struct HolderBudget {
    var rows: Int
    var levels: Int

    /// For all deletions of a request, or for one record of a cascade.
    static let request = HolderBudget(rows: 10_000, levels: 500)
    /// For the records that a cascade deletes together.
    static let chunk = HolderBudget(rows: 2_000, levels: 50)
}

/// Finds the records that refer to others by VALIDATE or as their parent, and which of them no cascade deletes.
///
/// A holder is deleted if it hangs on the target of a cascade by records that the cascade deletes all, itself included:
/// not written after the deletion, in its scope, and held by no record that stays.
struct HolderSearch {
    /// A record that refers to one being deleted by VALIDATE or as its parent, and stays.
    struct Holder {
        let name: String
        let share: Int64?
        let type: Int64
        let kind: ReferenceKind
    }

    /// Times that the holders of what was found are asked for.
    private static let mostRounds = 16

    let zone: Int64
    /// Also asks for the holders of holders that hang on what they hold. Without that they count as deleted unless they
    /// were written after the deletion or are out of its scope.
    let isWhole: Bool
    private let db: SQLConnection
    private(set) var budget: HolderBudget
    /// False if the budget was too small: what is not known then counts as staying.
    private(set) var isComplete = true
    /// True if the holders of the names asked for are known, if not whether these are deleted.
    private var areAllKnown = false
    private var graph: HolderGraph

    init(zone: Int64, isWhole: Bool = false, budget: HolderBudget, _ transaction: WriteTransaction) {
        self.zone = zone
        self.isWhole = isWhole
        self.budget = budget
        db = transaction.db
        let types = transaction.catalog.types
        graph = HolderGraph(users: types[RecordType.users]?.id ?? 0, shares: types[RecordType.share]?.id ?? 0)
    }

    /// Those of some names, targets of noted cascades, that records hold which stay, with these records. Where the budget
    /// is too small, those of which it is not known.
    mutating func holders(of names: [String]) throws -> [ExactName: [Holder]] {
        try readCascades(of: names)
        try read(names)
        guard areAllKnown else { return Dictionary(names.map { (ExactName($0), []) }) { first, _ in first } }
        let gone = isComplete ? graph.deleted() : []
        var staying: [ExactName: [Holder]] = [:]
        for name in names {
            let found = graph.holders[ExactName(name)] ?? []
            let left = found.compactMap { item in
                gone.contains(item.id)
                    ? nil
                    : graph.nodes[item.id].map {
                        Holder(name: $0.name, share: $0.share, type: $0.type, kind: item.kind)
                    }
            }
            if !left.isEmpty { staying[ExactName(name)] = left }
        }
        return staying
    }

    /// Those of some records right under the target of a cascade that stay since others hold them.
    mutating func staying(
        _ records: [(id: Int64, name: String)], under cascade: CascadeTable.Row
    ) throws -> Set<ExactName> {
        graph.sources[ExactName(cascade.target)] = [.init(scope: cascade.scope, passed: cascade.passed)]
        for record in records {
            // They are in the scope already.
            graph.add(
                .init(id: record.id, name: record.name, tag: .min, type: -1, share: cascade.scope.share, isRoot: false))
            graph.hang(record.id, on: cascade.target)
        }
        try read(records.map(\.name))
        let gone = isComplete ? graph.deleted() : []
        return Set(records.lazy.filter { !gone.contains($0.id) }.map { ExactName($0.name) })
    }

    /// Reads the holders of some names, what these hang on, and the holders of what is between.
    private mutating func read(_ names: [String]) throws {
        var names = names
        for _ in 0..<Self.mostRounds {
            let found = try readHolders(of: names)
            if isComplete { areAllKnown = true }
            try climb(from: found)
            guard isComplete else { return }
            names = graph.unasked(all: isWhole)
            if names.isEmpty { return }
        }
        isComplete = false
    }

    private mutating func spend(_ rows: Int) {
        budget.rows -= rows
        if budget.rows < 0 { isComplete = false }
    }

    private var limit: SQLValue { .integer(Int64(max(budget.rows, 0) + 1)) }

    // MARK: Rows

    /// - Returns: the ids of holders that do not hang on all that they hold.
    private mutating func readHolders(of names: [String]) throws -> [Int64] {
        for name in names { graph.holders[ExactName(name)] = [] }
        let direct = """
            EXISTS (
                SELECT 1 FROM record_references d
                WHERE d.zone = ?2 AND d.target = l.target AND d.kind = 1 AND d.source = l.source
            )
            """
        let isRoot = "EXISTS (SELECT 1 FROM shares s WHERE s.root = r.id)"
        // Of those that hang on what they hold and go for certain the database tells nothing: they are most.
        let scope = graph.commonScope
        let certain = """
            (r.tag <= ?4 AND r.record_type NOT IN (?5, ?6) AND (?7 = 0 OR (COALESCE(r.share, 0) = ?7 AND NOT \(isRoot))) AND \(direct))
            """
        var rows = 0
        var indirect: Set<Int64> = []
        try db.each(
            """
            SELECT l.target, l.kind, r.id, r.name, r.tag, r.record_type, r.share,
                CASE WHEN \(isRoot) THEN 1 ELSE 0 END, CASE WHEN \(direct) THEN 1 ELSE 0 END
            FROM json_each(?1) n CROSS JOIN record_references l ON l.zone = ?2 AND l.target = n.value AND l.kind IN (2, 3)
            CROSS JOIN records r ON r.id = l.source
            WHERE NOT \(certain) LIMIT ?3
            """,
            [
                .names(names), .integer(zone), limit, .integer(isWhole ? .min : scope.position),
                .integer(graph.users), .integer(graph.shares), .integer(scope.share),
            ]
        ) { row in
            rows += 1
            guard let kind = ReferenceKind(rawValue: row.integer(1)) else { return true }
            let (target, id) = (row.text(0), row.integer(2))
            graph.add(
                .init(
                    id: id, name: row.text(3), tag: row.integer(4), type: row.integer(5), share: row.optionalInteger(6),
                    isRoot: row.integer(7) != 0))
            graph.holders[ExactName(target), default: []].append((id, kind))
            if row.integer(8) != 0 { graph.hang(id, on: target) } else { indirect.insert(id) }
            return true
        }
        spend(rows)
        return indirect.filter { graph.nodes[$0]?.isClimbed == false }.sorted()
    }

    /// Reads what records hang on, level by level, and the cascades of that.
    private mutating func climb(from ids: [Int64]) throws {
        guard !ids.isEmpty, isComplete else { return }
        var found: [(id: Int64, target: String)] = []
        try db.each(
            """
            SELECT l.source, l.target FROM json_each(?1) j
            CROSS JOIN record_references l ON l.source = CAST(j.value AS BIGINT) AND l.kind = 1 LIMIT ?2
            """, [.list(ids), limit]
        ) {
            found.append(($0.integer(0), $0.text(1)))
            return true
        }
        spend(found.count)
        for id in ids { graph.nodes[id]?.isClimbed = true }
        var next = graph.note(found)
        var names = next
        while !next.isEmpty, isComplete {
            budget.levels -= 1
            guard budget.levels >= 0 else {
                isComplete = false
                return
            }
            next = graph.note(try readAbove(next))
            names += next
        }
        try readCascades(of: names)
    }

    /// What the records of some names hang on.
    private mutating func readAbove(_ names: [String]) throws -> [(id: Int64, target: String)] {
        var found: [(id: Int64, target: String)] = []
        try db.each(
            """
            SELECT r.id, r.name, r.tag, r.record_type, r.share,
                CASE WHEN EXISTS (SELECT 1 FROM shares s WHERE s.root = r.id) THEN 1 ELSE 0 END, l.target
            FROM json_each(?1) n CROSS JOIN records r ON r.zone = ?2 AND r.name = n.value AND r.record_type IS NOT NULL
            CROSS JOIN record_references l ON l.source = r.id AND l.kind = 1 LIMIT ?3
            """, [.names(names), .integer(zone), limit]
        ) { row in
            let id = row.integer(0)
            graph.add(
                .init(
                    id: id, name: row.text(1), tag: row.integer(2), type: row.integer(3), share: row.optionalInteger(4),
                    isRoot: row.integer(5) != 0))
            graph.nodes[id]?.isClimbed = true
            found.append((id, row.text(6)))
            return true
        }
        spend(found.count)
        return found
    }

    private mutating func readCascades(of names: [String]) throws {
        guard isComplete, !names.isEmpty else { return }
        var found: [(target: String, source: HolderGraph.Source)] = []
        try db.each(
            """
            SELECT c.target, c.position, c.share, c.passed FROM json_each(?1) n
            CROSS JOIN cascades c ON c.zone = ?2 AND c.target = n.value LIMIT ?3
            """, [.names(names), .integer(zone), limit]
        ) { row in
            let scope = CascadeScope(position: row.integer(1), share: row.optionalInteger(2), sparesHeld: true)
            found.append((row.text(0), .init(scope: scope, passed: row.integer(3))))
            return true
        }
        spend(found.count)
        for item in found { graph.sources[ExactName(item.target), default: []].append(item.source) }
    }
}
