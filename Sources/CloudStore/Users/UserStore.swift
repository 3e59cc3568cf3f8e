/// Users of an environment, with their storage.
package struct UserStore: Sendable {
    let stored: StoredEnvironment

    /// True if the user's record is known to exist, without reading the database.
    package func knows(_ recordName: String) -> Bool { stored.knownUsers.contains(recordName) }

    /// Creates the user's record in the public database if missing (reference B §5.0).
    package func ensure(_ recordName: String) async throws {
        if knows(recordName) { return }
        let (now, knownUsers) = (stored.now(), stored.knownUsers)
        let epoch = try await stored.writes.write(for: nil) { transaction in
            try UserRecords.ensure(recordName, now: now, transaction)
            return knownUsers.epoch
        }
        knownUsers.insert(recordName, since: epoch)
    }

    /// The storage of an owner; nil for all owners together.
    package func usage(owner: String?) async throws -> Usage {
        try await stored.reads.read(.small) { db in
            try owner.map { try UsageTable.find(owner: $0, db) } ?? UsageTable.total(db)
        }
    }
}
