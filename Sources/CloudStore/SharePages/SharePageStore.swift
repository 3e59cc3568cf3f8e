package import CloudModel
import CloudSQL

/// Reads shares and public records for the pages behind links.
package struct SharePageStore: Sendable {
    let stored: StoredEnvironment

    /// The share of a short GUID or a one-time link's token, without an access check; nil if there is none.
    package func share(_ handle: String) async throws -> OwnShare? {
        try await stored.reads.read(.small) { db in try OwnShares.find(handle, db) }
    }

    /// Returns true if the share of a short GUID or a one-time link was stopped.
    package func isStopped(_ handle: String) async throws -> Bool {
        try await stored.reads.read(.small) { db in try ShareTable.isStopped(handle, db) }
    }

    /// A page of the records visible through a share, without the share record, in order of creation, which changes keep.
    ///
    /// - Parameters:
    ///   - choice: the selected records; other records are not read.
    ///   - id: the `next` of the previous page; 0 for the first page.
    /// - Throws: the errors of ``ShareStore/find(_:as:)``.
    package func records(
        _ handle: String, as viewer: Person?, _ choice: ShareChoice, after id: Int64, limit: Int
    ) async throws -> ShareRecordsPage {
        let catalog = stored.catalog
        return try await stored.reads.read { db in
            try ShareContents(handle, as: viewer, choice, catalog, db).page(after: id, limit: limit, db)
        }
    }

    /// Shares of an owner, oldest first.
    ///
    /// - Parameter position: the `position` of the previous page's last share.
    package func shares(owner: String, after position: Int64, limit: Int) async throws -> [OwnShare] {
        try await stored.reads.read { db in try OwnShares.list(owner: owner, after: position, limit: limit, db) }
    }

    /// The shares with these rows, and those that show these records.
    package func shares(_ shares: [Int64], showing records: [Int64]) async throws -> [OwnShare] {
        try await stored.reads.read { db in try OwnShares.list(shares, showing: records, db) }
    }

    /// The stored form of a record visible through a share; nil if the share does not show the record.
    ///
    /// - Throws: the errors of ``ShareStore/find(_:as:)``.
    package func record(_ name: String, in handle: String, as viewer: Person?) async throws -> RecordBody? {
        try await stored.reads.read(.small) { db in try OwnShares.record(name, in: handle, as: viewer, db) }
    }
}
