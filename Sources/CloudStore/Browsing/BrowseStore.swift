package import CloudModel

/// Lists for operators, of everybody's data in an environment. Every list is a page along a key.
package protocol BrowseStore: Sendable {
    /// The owners of private data, by user record name, each with what they store.
    ///
    /// - Parameter name: only owners after it.
    func owners(after name: String, limit: Int) async throws -> [StoredOwner]

    /// The types that have records in a zone, by name, each with its number of records.
    ///
    /// - Parameters:
    ///   - caller: only records that they see are counted; in the zone of somebody else, those shared with them.
    ///   - most: counting a type ends there.
    func recordCounts(in zone: ZoneID, for caller: Caller, most: Int) async throws -> [StoredTypeCount]

    /// Records that refer to a record of their zone in a way that its deletion has to know of, the oldest first.
    func referrers(of name: String, in zone: ZoneID, limit: Int) async throws -> [StoredReferrer]

    /// The place of a record among the others of its zone; nil for one that is not there.
    ///
    /// - Parameter most: counting and listing end there.
    func surroundings(of name: String, in zone: ZoneID, most: Int) async throws -> RecordSurroundings?

    /// What a file in a record is; nil for one that is not stored.
    func file(_ key: AssetKey) async throws -> StoredFile?

    /// All shares, the oldest first.
    func shares(after id: Int64, limit: Int) async throws -> [StoredShare]

    /// All subscriptions, the oldest first.
    func subscriptions(after id: Int64, limit: Int) async throws -> [StoredSubscription]

    /// Whether a subscription would fire for a change of a record. Nobody is told and nothing is written.
    ///
    /// - Throws: `NOT_FOUND` for a subscription or a record that is not there.
    func answer(_ trial: SubscriptionTrial) async throws -> SubscriptionTrial.Answer

    /// The devices whose push tokens are registered, the oldest first.
    func devices(after id: Int64, limit: Int) async throws -> [StoredDevice]
}

/// Somebody who has a private database.
package struct StoredOwner: Hashable, Sendable {
    package let userRecordName: String
    package let usage: Usage
}

/// A type and how many records of it a zone has.
package struct StoredTypeCount: Hashable, Sendable {
    package let type: String
    package let count: Int
    /// Whether there are more than were counted.
    package let isCut: Bool
}

/// A record that refers to another.
package struct StoredReferrer: Hashable, Sendable {
    package enum Kind: String, Sendable, Codable {
        /// Goes when the record that it refers to is deleted.
        case deleteSelf = "DELETE_SELF"
        /// Keeps the record that it refers to from being deleted.
        case validate = "VALIDATE"
        /// Has it as its parent.
        case parent = "PARENT"
    }

    package let recordName: String
    package let recordType: String
    package let kind: Kind
}

/// A file in a field of a record.
package struct StoredFile: Hashable, Sendable {
    package let contentType: String
    /// Of a picture whose header tells.
    package let imageSize: ImageSize?
}

/// The place of a record among the others of its zone.
package struct RecordSurroundings: Hashable, Sendable {
    /// Records of the zone that have changed since it did; nil in a zone without a feed.
    package let laterChanges: Int?
    /// Records that are deleted along with it.
    package let goesAlong: [String]
    /// The share through which others see it.
    package let share: StoredShare?
}

/// A share with the place of what it shares.
package struct StoredShare: Hashable, Sendable {
    package let id: Int64
    package let zone: ZoneID
    package let shortGUID: String
    /// The share record's name.
    package let recordName: String
    /// The name of the record that is shared; nil for a whole zone.
    package let root: String?
    package let title: String?
    package let state: ShareState
}

/// A subscription and whose it is.
package struct StoredSubscription: Sendable {
    package let id: Int64
    package let userRecordName: String
    package let scope: DatabaseScope
    /// The dictionary as answered.
    package let body: [UInt8]
}

/// A push token that is registered in an environment.
package struct StoredDevice: Hashable, Sendable {
    package let id: Int64
    package let userRecordName: String
    package let clientID: String?
    /// Notifications that wait for it.
    package let queued: Int
    /// The time when the oldest of these was made.
    package let waitingSince: Timestamp?
    package let expires: Timestamp
}
