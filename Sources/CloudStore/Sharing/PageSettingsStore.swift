package import CloudModel

/// Owners' settings for pages.
package struct PageSettingsStore: Sendable {
    let stored: StoredEnvironment

    /// The settings of `owner` for the page with this id; nil if there are none.
    package func find(_ id: String, owner: String) async throws -> PageSettings? {
        try await stored.reads.read(.small) { db in try PageSettingsTable.find(id, owner: owner, db) }
    }

    /// Saves settings, replacing earlier settings of the page.
    package func save(_ link: PageSettings) async throws {
        try await stored.writes.write(for: nil) { transaction in
            try PageSettingsTable.save(link, transaction.db)
            transaction.tellPages(.settings(link.id))
        }
    }

    /// Deletes the settings of `owner` for the page with this id.
    package func delete(_ id: String, owner: String) async throws {
        try await stored.writes.write(for: nil) { try PageSettingsTable.delete(id, owner: owner, $0.db) }
    }

    /// Settings of pages that have expired by `now` and whose contents are to be deleted, earliest expiry first.
    ///
    /// - Parameter skipping: the number of settings to skip.
    package func due(at now: Timestamp, skipping: Int, limit: Int) async throws -> [PageSettings] {
        try await stored.reads.read(.small) { db in
            try PageSettingsTable.due(at: now, skipping: skipping, limit: limit, db)
        }
    }

    /// The earliest expiry of a page whose contents are to be deleted; nil if there is none.
    package func firstDue() async throws -> Timestamp? {
        try await stored.reads.read(.small) { db in try PageSettingsTable.firstDue(db) }
    }
}
