import CloudModel
import CloudSQL

/// Keeps up the `share` marks of records visible through a hierarchy share, in the transaction that changes the hierarchy.
///
/// A record inherits its parent's mark; a root has the mark of its own share.
struct ShareVisibility {
    let zone: Int64
    let transaction: WriteTransaction
    private var db: SQLConnection { transaction.db }

    struct Node {
        let id: Int64
        let name: String
        let share: Int64?
    }

    /// Updates the marks of a record with a new or removed parent, and of all records below it.
    ///
    /// - Parameters:
    ///   - isNew: true if only records of the same request can be below the record.
    ///   - sees: whether the caller sees records of a share.
    ///   - shown: receives the names of records that become visible through a share.
    /// - Returns: false if the parent is missing or hidden from the caller.
    func update(
        _ name: String, parent: String?, isNew: Bool, sees: (Int64?) -> Bool, shown: inout [String]
    ) throws -> Bool {
        let above = try parent.map { try find($0) } ?? nil
        if parent != nil && above.map({ sees($0.share) }) != true { return false }
        // A shortcut for most zones, which share nothing: new records have no mark.
        if isNew && above?.share == nil { return true }
        guard let node = try find(name) else { return true }
        if node.share == nil && above?.share == nil { return true }
        if node.share != nil, try ShareTable.isRoot(node.id, db) { return true }
        if node.share == above?.share {
            if !isNew, let above, try isAbove(node, above) { try mark(node, nil) }
        } else {
            let moved = try mark(node, above?.share)
            if above?.share != nil { shown += moved }
        }
        return true
    }

    /// Changes the mark of a record and of all records below it; nil for no share.
    ///
    /// - Returns: the names of the marked records.
    @discardableResult
    func mark(_ top: Node, _ share: Int64?) throws -> [String] {
        var (nodes, moved) = ([top], [String]())
        while let node = nodes.popLast() {
            // A cycle of parents leads to the same record twice.
            guard try current(node.id) == top.share else { continue }
            try move(node, to: share)
            moved.append(node.name)
            nodes += try children(of: node.name).filter { $0.share == top.share }
        }
        return moved
    }

    /// The records directly below a record, without roots of shares.
    func children(of name: String) throws -> [Node] {
        var nodes: [Node] = []
        try db.each(
            """
            SELECT r.id, r.name, r.share FROM record_references l /*!CROSS*/ JOIN records r ON r.id = l.source
            WHERE l.zone = ? AND l.target = ? AND l.kind = 3
                AND (r.share IS NULL OR NOT EXISTS (SELECT 1 FROM shares WHERE root = r.id))
            """,
            [.integer(zone), .text(name)]
        ) {
            nodes.append(Node(id: $0.integer(0), name: $0.text(1), share: $0.isNull(2) ? nil : $0.integer(2)))
            return true
        }
        return nodes
    }

    func find(_ name: String) throws -> Node? {
        try db.first(
            about: DeferredKey(zone, name),
            "SELECT id, share FROM records WHERE zone = ? AND name = ? AND record_type IS NOT NULL",
            .integer(zone), .text(name)
        ) { Node(id: $0.integer(0), name: name, share: $0.isNull(1) ? nil : $0.integer(1)) }
    }

    private func current(_ id: Int64) throws -> Int64? {
        try db.first("SELECT share FROM records WHERE id = ?", .integer(id)) { $0.isNull(0) ? nil : $0.integer(0) }
            ?? nil
    }

    private func move(_ node: Node, to share: Int64?) throws {
        // Departure before arrival: members of both shares must receive the changes in that order.
        if let left = node.share { try depart(node.name, from: left) }
        let position = try share.map { _ in try transaction.nextPosition() }
        try db.run(
            "UPDATE records SET share = ?, share_position = ? WHERE id = ?",
            share.map(SQLValue.integer) ?? .null, position.map(SQLValue.integer) ?? .null, .integer(node.id))
        if let share, let position { transaction.touch(share: share, at: position) }
    }

    /// Notes that members no longer see a record.
    func depart(_ name: String, from share: Int64) throws {
        let position = try transaction.nextPosition()
        try db.run(
            """
            INSERT INTO departures (share, name, position) VALUES (?, ?, ?)
            ON CONFLICT (share, name) DO UPDATE SET position = excluded.position
            """,
            .integer(share), .text(name), .integer(position))
        transaction.touch(share: share, at: position)
    }

    /// Returns true if the chain of parents from `start` contains `node`. Both are then in a cycle, outside any share.
    private func isAbove(_ node: Node, _ start: Node) throws -> Bool {
        var seen: Set<Int64> = []
        var next: Node? = start
        while let place = next, seen.insert(place.id).inserted {
            if place.id == node.id { return true }
            if try ShareTable.isRoot(place.id, db) { return false }
            let parent = try db.first(
                "SELECT target FROM record_references WHERE source = ? AND kind = 3", .integer(place.id)
            ) { $0.text(0) }
            next = try parent.map { try find($0) } ?? nil
        }
        return false
    }
}
