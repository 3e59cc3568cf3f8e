import CloudAssets
package import CloudModel
import CloudSQL

extension StoredEnvironment {
    package func owners(after name: String, limit: Int) async throws -> [StoredOwner] {
        try await reads.read { db in try Browsing.owners(after: name, limit: limit, db) }
    }

    package func recordCounts(in zone: ZoneID, for caller: Caller, most: Int) async throws -> [StoredTypeCount] {
        let published = published
        return try await reads.read { db in
            try Browsing.recordCounts(in: zone, for: caller, most: most, published.current(db), db)
        }
    }

    package func referrers(of name: String, in zone: ZoneID, limit: Int) async throws -> [StoredReferrer] {
        try await reads.read { db in try Browsing.referrers(of: name, in: zone, limit: limit, db) }
    }

    package func surroundings(of name: String, in zone: ZoneID, most: Int) async throws -> RecordSurroundings? {
        try await reads.read { db in try Browsing.surroundings(of: name, in: zone, most: most, db) }
    }

    package func file(_ key: AssetKey) async throws -> StoredFile? {
        try await asset(key).map { StoredFile(contentType: $0.contentType, imageSize: $0.imageSize) }
    }

    package func shares(after id: Int64, limit: Int) async throws -> [StoredShare] {
        try await reads.read { db in try Browsing.shares(after: id, limit: limit, db) }
    }

    package func subscriptions(after id: Int64, limit: Int) async throws -> [StoredSubscription] {
        try await reads.read { db in try Browsing.subscriptions(after: id, limit: limit, db) }
    }

    package func answer(_ trial: SubscriptionTrial) async throws -> SubscriptionTrial.Answer {
        // Run by the writer, which has the state for matching changes.
        try await DryRun.$isOn.withValue(true) { try await writes.write(for: nil) { try trial.run($0) } }
    }

    package func devices(after id: Int64, limit: Int) async throws -> [StoredDevice] {
        try await reads.read { db in try Browsing.devices(after: id, limit: limit, db) }
    }
}
