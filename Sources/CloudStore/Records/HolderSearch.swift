import CloudModel
import CloudSQL

/// Finds the holders of records (references by VALIDATE or as parent), and which of them stay.
///
/// A cascade deletes a holder if it deletes the whole path from its target to the holder, the holder included. Each record on
/// the path must be unchanged since the deletion, within the scope, and not held by a staying record.
struct HolderSearch {
    /// A staying record that holds a deleted record by VALIDATE or as its parent.
    struct Holder {
        let name: String
        let share: Int64?
        let type: Int64
        let kind: ReferenceKind
    }

    /// Rounds of looking up holders.
    private static let mostRounds = 16

    let zone: Int64
    /// True to look up holders of dependent holders too. Otherwise dependent holders count as deleted, unless they changed
    /// after the deletion or lie outside its scope.
    let isWhole: Bool
    private let db: SQLConnection
    private(set) var budget: HolderBudget
    /// False if the budget was too small: undecided records then count as staying.
    private(set) var isComplete = true
    /// True if all holders of the requested names are known, decided or not.
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

    /// The names that staying records hold, with these holders. `names` are targets of deferred cascades. If the budget is
    /// too small, the result includes undecided names.
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

    /// The direct dependents of a cascade's target that stay because other records hold them.
    mutating func staying(
        _ records: [(id: Int64, name: String)], under cascade: CascadeTable.Row
    ) throws -> Set<ExactName> {
        graph.sources[ExactName(cascade.target)] = [.init(scope: cascade.scope, passed: cascade.passed)]
        for record in records {
            // The caller selected these records within the scope.
            graph.add(
                .init(id: record.id, name: record.name, tag: .min, type: -1, share: cascade.scope.share, isRoot: false))
            graph.hang(record.id, on: cascade.target)
        }
        try read(records.map(\.name))
        let gone = isComplete ? graph.deleted() : []
        return Set(records.lazy.filter { !gone.contains($0.id) }.map { ExactName($0.name) })
    }

    /// Reads the names' holders, the records these depend on, and the holders of the records in between.
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

    /// - Returns: the ids of holders that do not directly depend on the record they hold.
    private mutating func readHolders(of names: [String]) throws -> [Int64] {
        for name in names { graph.holders[ExactName(name)] = [] }
        let direct = """
            EXISTS (
                SELECT 1 FROM record_references d
                WHERE d.zone = ?2 AND d.target = l.target AND d.kind = 1 AND d.source = l.source
            )
            """
        let isRoot = "EXISTS (SELECT 1 FROM shares s WHERE s.root = r.id)"
        // Skip holders that the cascade certainly deletes: most are direct dependents of the record they hold.
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
            FROM json_each(?1) n
            /*!CROSS*/ JOIN record_references l ON l.zone = ?2 AND l.target = n.value AND l.kind IN (2, 3)
            /*!CROSS*/ JOIN records r ON r.id = l.source
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

    /// Reads the DELETE_SELF targets above records, level by level, and these targets' cascades.
    private mutating func climb(from ids: [Int64]) throws {
        guard !ids.isEmpty, isComplete else { return }
        var found: [(id: Int64, target: String)] = []
        try db.each(
            """
            SELECT l.source, l.target FROM json_each(?1) j
            /*!CROSS*/ JOIN record_references l ON l.source = CAST(j.value AS BIGINT) AND l.kind = 1 LIMIT ?2
            """, [.list(ids), limit]
        ) {
            found.append(($0.integer(0), $0.text(1)))
            return true
        }
        spend(found.count)
        for id in ids { graph.nodes[id]?.isClimbed = true }
        var next = graph.add(found)
        var names = next
        while !next.isEmpty, isComplete {
            budget.levels -= 1
            guard budget.levels >= 0 else {
                isComplete = false
                return
            }
            next = graph.add(try readAbove(next))
            names += next
        }
        try readCascades(of: names)
    }

    /// Reads the DELETE_SELF targets of the named records.
    private mutating func readAbove(_ names: [String]) throws -> [(id: Int64, target: String)] {
        var found: [(id: Int64, target: String)] = []
        try db.each(
            """
            SELECT r.id, r.name, r.tag, r.record_type, r.share,
                CASE WHEN EXISTS (SELECT 1 FROM shares s WHERE s.root = r.id) THEN 1 ELSE 0 END, l.target
            FROM json_each(?1) n
            /*!CROSS*/ JOIN records r ON r.zone = ?2 AND r.name = n.value AND r.record_type IS NOT NULL
            /*!CROSS*/ JOIN record_references l ON l.source = r.id AND l.kind = 1 LIMIT ?3
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
            /*!CROSS*/ JOIN cascades c ON c.zone = ?2 AND c.target = n.value LIMIT ?3
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
