package import CloudModel
import CloudSQL

extension StoredEnvironment {
    package func inOneSnapshot<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        try await reads.inOneSnapshot(body)
    }

    package func ownShare(_ handle: String) async throws -> OwnShare? {
        try await reads.read(.small) { db in try OwnShares.find(handle, db) }
    }

    package func isStopped(_ handle: String) async throws -> Bool {
        try await reads.read(.small) { db in try ShareTable.isStopped(handle, db) }
    }

    package func shareRecords(
        _ handle: String, as viewer: Person?, _ choice: ShareChoice, after id: Int64, limit: Int
    ) async throws -> ShareRecordsPage {
        let catalog = catalog
        return try await reads.read { db in
            try ShareContents(handle, as: viewer, choice, catalog, db).page(after: id, limit: limit, db)
        }
    }

    package func shareSummary(
        _ handle: String, as viewer: Person?, _ choice: ShareChoice, limit: Int
    ) async throws -> ShareSummary {
        let catalog = catalog
        return try await reads.read { db in
            try ShareContents(handle, as: viewer, choice, catalog, db).summary(limit: limit, db)
        }
    }

    package func ownShares(owner: String, after position: Int64, limit: Int) async throws -> [OwnShare] {
        try await reads.read { db in try OwnShares.list(owner: owner, after: position, limit: limit, db) }
    }

    package func shareRecord(_ name: String, in handle: String, as viewer: Person?) async throws -> RecordBody? {
        try await reads.read(.small) { db in try OwnShares.record(name, in: handle, as: viewer, db) }
    }

    package func link(_ id: String, owner: String) async throws -> PageSettings? {
        try await reads.read(.small) { db in try PageSettingsTable.find(id, owner: owner, db) }
    }

    package func save(_ link: PageSettings) async throws {
        try await writes.write(for: nil) { try PageSettingsTable.save(link, $0.db) }
    }

    package func deleteLink(_ id: String, owner: String) async throws {
        try await writes.write(for: nil) { try PageSettingsTable.delete(id, owner: owner, $0.db) }
    }

    package func dueLinks(at now: Timestamp, skipping: Int, limit: Int) async throws -> [PageSettings] {
        try await reads.read(.small) { db in try PageSettingsTable.due(at: now, skipping: skipping, limit: limit, db) }
    }

    package func firstDueLink() async throws -> Timestamp? {
        try await reads.read(.small) { db in try PageSettingsTable.firstDue(db) }
    }
}
