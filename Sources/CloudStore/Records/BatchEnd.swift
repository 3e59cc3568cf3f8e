import CloudModel

/// What is judged of a batch once all of it is written: whether references hold, and where moved records now belong.
extension Batch {
    /// Gives records that came or moved the visibility of their new place, now that their parents are written.
    mutating func settleMoved() throws {
        // A branch may be written from its leaves up: what hangs on a record that is not placed yet waits for it.
        var waiting: [String: [(index: Int, name: String, parent: String?, isNew: Bool)]] = [:]
        var place = 0
        while place < moved.count {
            let next = moved[place]
            place += 1
            if try marks.settle(next.name, parent: next.parent, isNew: next.isNew, sees: { view.sees($0) }) {
                moved += waiting.removeValue(forKey: next.name) ?? []
            } else if let parent = next.parent {
                waiting[parent, default: []].append(next)
            }
        }
        for (parent, left) in waiting {
            for (index, _, _, _) in left { orphans[index] = LinkTable.missing(.init(target: parent, kind: .parent)) }
        }
        moved.removeAll()
    }

    var marks: ShareMarks { ShareMarks(zone: zone.id, transaction: transaction) }

    /// Operations whose references do not hold now that everything is written.
    mutating func brokenLinks(limit: Int) throws -> [Int: ServerError] {
        try settleMoved()
        var broken = orphans
        for (index, link) in written where broken[index] == nil {
            broken[index] = try LinkTable.fault(of: link, zone: zone.id, limit: limit, sees: { view.sees($0) }, db)
        }
        for (index, name) in deleted where broken[index] == nil {
            broken[index] = try LinkTable.faultOfDeleting(name, zone: zone.id, sees: { view.sees($0) }, db)
        }
        for (index, name, isNew) in writtenByMember where broken[index] == nil {
            broken[index] = try faultOfMember(name, isNew: isNew)
        }
        return broken
    }

    /// Members write within what is shared with them, and what they write stays there (reference B §9.5).
    private func faultOfMember(_ name: String, isNew: Bool) throws -> ServerError? {
        guard let node = try marks.find(name), !view.mayWrite(node.share) else { return nil }
        return ServerError(
            .accessDenied,
            isNew
                ? "CREATE operation not permitted: a new record needs a parent that is shared with you"
                : "WRITE operation not permitted: only the owner can move a record out of a share")
    }

    func finish() {
        if let lastPosition { transaction.touch(zone: zone.id, at: lastPosition) }
    }
}
