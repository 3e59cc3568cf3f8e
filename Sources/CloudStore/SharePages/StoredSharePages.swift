package import CloudModel
import GRDB

extension SQLiteRecordStore {
    package func ownShare(_ handle: String) async throws -> OwnShare? {
        try await reads.read(.small) { db, _ in try OwnShares.find(handle, db) }
    }

    package func ownShares(owner: String, after position: Int64, limit: Int) async throws -> [OwnShare] {
        try await reads.read { db, _ in try OwnShares.list(owner: owner, after: position, limit: limit, db) }
    }

    package func shareRecord(_ name: String, in handle: String, as viewer: Person?) async throws -> [UInt8]? {
        try await reads.read(.small) { db, _ in try OwnShares.record(name, in: handle, as: viewer, db) }
    }

    package func link(_ id: String, owner: String) async throws -> PageLink? {
        try await reads.read(.small) { db, _ in try PageLinks.find(id, owner: owner, db) }
    }

    package func letsStrangersIn(_ shortGUID: String, owner: String) async throws -> Bool {
        let now = now()
        guard let link = try await link(shortGUID, owner: owner) else { return true }
        return link.isOpen(at: now) && !link.hasPassword
    }

    package func save(_ link: PageLink) async throws {
        try await writes.write { try PageLinks.save(link, $0.db) }
    }

    package func deleteLink(_ id: String, owner: String) async throws {
        try await writes.write { try PageLinks.delete(id, owner: owner, $0.db) }
    }

    package func dueLinks(at now: Int64, skipping: Int, limit: Int) async throws -> [PageLink] {
        try await reads.read(.small) { db, _ in try PageLinks.due(at: now, skipping: skipping, limit: limit, db) }
    }
}
