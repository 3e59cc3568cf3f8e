import CloudAssets
package import CloudModel
import CloudSQL

/// Lists of an environment's data of all users, for operators. Lists are paged by key.
package struct BrowseStore: Sendable {
    let stored: StoredEnvironment

    /// The owners of private data by user record name, with their usage.
    ///
    /// - Parameter name: lists the owners after this name.
    package func owners(after name: String, limit: Int) async throws -> [StoredOwner] {
        try await stored.reads.read { db in try Browsing.owners(after: name, limit: limit, db) }
    }

    /// The types with records in a zone, by name, with their numbers of records.
    ///
    /// - Parameters:
    ///   - caller: counts only records visible to this caller; in others' zones, only shared records.
    ///   - most: the highest count per type.
    package func recordCounts(in zone: ZoneID, for caller: Caller, most: Int) async throws -> [StoredTypeCount] {
        let published = stored.published
        return try await stored.reads.read { db in
            try Browsing.recordCounts(in: zone, for: caller, most: most, published.current(db), db)
        }
    }

    /// Records of the zone whose references to a record affect its deletion, oldest first.
    package func referrers(of name: String, in zone: ZoneID, limit: Int) async throws -> [StoredReferrer] {
        try await stored.reads.read { db in try Browsing.referrers(of: name, in: zone, limit: limit, db) }
    }

    /// A record's relations within its zone; nil for a missing record.
    ///
    /// - Parameter most: the limit for counts and lists.
    package func surroundings(of name: String, in zone: ZoneID, most: Int) async throws -> RecordSurroundings? {
        try await stored.reads.read { db in try Browsing.surroundings(of: name, in: zone, most: most, db) }
    }

    /// The metadata of a record's file; nil for a missing file.
    package func file(_ key: AssetKey) async throws -> StoredFile? {
        try await UploadStore(stored: stored).find(key).map {
            StoredFile(contentType: $0.contentType, imageSize: $0.imageSize)
        }
    }

    /// All shares, oldest first.
    package func shares(after id: Int64, limit: Int) async throws -> [StoredShare] {
        try await stored.reads.read { db in try Browsing.shares(after: id, limit: limit, db) }
    }

    /// All subscriptions, oldest first.
    package func subscriptions(after id: Int64, limit: Int) async throws -> [StoredSubscription] {
        try await stored.reads.read { db in try Browsing.subscriptions(after: id, limit: limit, db) }
    }

    /// Tests whether a subscription would fire for a change of a record. Sends and writes nothing.
    ///
    /// - Throws: `NOT_FOUND` for a missing subscription or record.
    package func answer(_ trial: SubscriptionTrial) async throws -> SubscriptionTrial.Answer {
        // Run by the writer, which has the state for matching changes.
        try await DryRun.$isOn.withValue(true) { try await stored.writes.write(for: nil) { try trial.run($0) } }
    }

    /// The devices with registered push tokens, oldest first.
    package func devices(after id: Int64, limit: Int) async throws -> [StoredDevice] {
        try await stored.reads.read { db in try Browsing.devices(after: id, limit: limit, db) }
    }
}

/// The owner of a private database.
package struct StoredOwner: Hashable, Sendable {
    package let userRecordName: String
    package let usage: Usage
}

/// A record type and its number of records in a zone.
package struct StoredTypeCount: Hashable, Sendable {
    package let type: String
    package let count: Int
    /// Whether the count stopped at its limit.
    package let isCut: Bool
}

/// A record that refers to another record.
package struct StoredReferrer: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable, Codable {
        /// The referring record is deleted with its target.
        case deleteSelf = "DELETE_SELF"
        /// The reference forbids the deletion of its target.
        case validate = "VALIDATE"
        /// The target is the record's parent.
        case parent = "PARENT"
    }

    package let recordName: String
    package let recordType: String
    package let kind: Kind
}

/// A file in a record field.
package struct StoredFile: Hashable, Sendable {
    package let contentType: String
    /// The image size, from the picture's header; nil for other files.
    package let imageSize: ImageSize?
}

/// A record's relations within its zone.
package struct RecordSurroundings: Hashable, Sendable {
    /// The number of records in the zone with later changes; nil in a zone without a feed.
    package let laterChanges: Int?
    /// Records that would be deleted along with the record.
    package let goesAlong: [String]
    /// The share that makes the record visible to members.
    package let share: StoredShare?
}

/// A share with its zone and root.
package struct StoredShare: Hashable, Sendable {
    package let id: Int64
    package let zone: ZoneID
    package let shortGUID: String
    /// The share record's name.
    package let recordName: String
    /// The name of the root record; nil for a zone-wide share.
    package let root: String?
    package let title: String?
    package let state: ShareState
}

/// A subscription and its owner.
package struct StoredSubscription: Sendable {
    package let id: Int64
    package let userRecordName: String
    package let scope: DatabaseScope
    /// The subscription's JSON dictionary.
    package let body: [UInt8]
}

/// A push token registered in an environment.
package struct StoredDevice: Hashable, Sendable {
    package let id: Int64
    package let userRecordName: String
    package let clientID: String?
    /// The number of queued notifications.
    package let queued: Int
    /// The time of the oldest queued notification.
    package let waitingSince: Timestamp?
    package let expires: Timestamp
}
