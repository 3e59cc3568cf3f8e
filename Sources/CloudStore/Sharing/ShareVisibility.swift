import CloudModel
import CloudSQL

/// Marks of the records that a hierarchy share makes visible, kept up in the transaction that changes it.
///
/// A record has the mark of its parent, unless it is a root, which has that of its own share.
struct ShareVisibility {
    let zone: Int64
    let transaction: WriteTransaction
    private var db: SQLConnection { transaction.db }

    struct Node {
        let id: Int64
        let name: String
        let share: Int64?
    }

    /// Gives a record that has a new parent, or none any more, the mark it ought to have, and all below it too.
    ///
    /// - Parameters:
    ///   - isNew: whether nothing can hang under it but what the same request wrote.
    ///   - sees: whether the caller sees records of a share.
    ///   - shown: gets the names of the records that come into a share.
    /// - Returns: false when there is no such parent, or none for the caller.
    func update(
        _ name: String, parent: String?, isNew: Bool, sees: (Int64?) -> Bool, shown: inout [String]
    ) throws -> Bool {
        let above = try parent.map { try find($0) } ?? nil
        if parent != nil && above.map({ sees($0.share) }) != true { return false }
        // Most zones share nothing, and what is new has no mark.
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

    /// Moves a record and what hangs under it from one share to another, or in or out.
    ///
    /// - Returns: the names of those that were moved.
    @discardableResult
    func mark(_ top: Node, _ share: Int64?) throws -> [String] {
        var (nodes, moved) = ([top], [String]())
        while let node = nodes.popLast() {
            // Found twice under what is a circle.
            guard try current(node.id) == top.share else { continue }
            try move(node, to: share)
            moved.append(node.name)
            nodes += try children(of: node.name).filter { $0.share == top.share }
        }
        return moved
    }

    /// The records right under one, but for those that are roots themselves.
    func children(of name: String) throws -> [Node] {
        var nodes: [Node] = []
        try db.each(
            """
            SELECT r.id, r.name, r.share FROM record_references l CROSS JOIN records r ON r.id = l.source
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
        // Out before in: who sees both shares must hear of it in that order.
        if let left = node.share { try depart(node.name, from: left) }
        let position = try share.map { _ in try transaction.nextPosition() }
        try db.run(
            "UPDATE records SET share = ?, share_position = ? WHERE id = ?",
            share.map(SQLValue.integer) ?? .null, position.map(SQLValue.integer) ?? .null, .integer(node.id))
        if let share, let position { transaction.touch(share: share, at: position) }
    }

    /// Notes that members no longer see a record of this name.
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

    /// Returns true if the chain of parents from `start` comes by `node`, so that neither hangs under a root any more.
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
