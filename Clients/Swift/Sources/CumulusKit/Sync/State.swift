import Foundation
import Synchronization

extension CKSyncEngine {
    public enum PendingRecordZoneChange: Sendable, Hashable, Codable {
        case saveRecord(CKRecord.ID)
        case deleteRecord(CKRecord.ID)

        public var recordID: CKRecord.ID {
            switch self {
            case .saveRecord(let id), .deleteRecord(let id): id
            }
        }
    }

    public enum PendingDatabaseChange: Sendable, Hashable, Codable {
        case saveZone(CKRecordZone.ID)
        case deleteZone(CKRecordZone.ID)

        public var zoneID: CKRecordZone.ID {
            switch self {
            case .saveZone(let id), .deleteZone(let id): id
            }
        }
    }

    /// What is to be sent, and how far the engine has come.
    public final class State: Sendable {
        /// All of it, as an app stores it.
        public struct Serialization: Sendable, Codable {
            var version = 1
            var container: String
            var environment: CumulusConfiguration.Environment
            var scope: CKDatabase.Scope
            var user: String?
            var databaseToken: CKServerChangeToken?
            var zones: [CKRecordZone.ID: Zone] = [:]
            var databaseChanges: [PendingDatabaseChange] = []
            var recordChanges: [Pending] = []
            /// Of each record what left and was not answered, the oldest first.
            var inFlight: [CKRecord.ID: [InFlight]] = [:]
            var generation = 0
        }

        struct Zone: Sendable, Codable {
            var token: CKServerChangeToken?
            var needsFetch = true
            /// The version of each record that the app was given or saved.
            var known: [String: String] = [:]
            var resync: Resync?
        }

        /// A zone that is read anew.
        struct Resync: Sendable, Codable {
            var seen: Set<String> = []
            var restoredTo: Date?
        }

        struct Pending: Sendable, Codable {
            var change: PendingRecordZoneChange
            /// Tells an edit that was made during a send from the one that was sent.
            var generation: Int
        }

        /// What left without an answer that was seen: by it the engine knows its own work again.
        struct InFlight: Sendable, Codable {
            var generation: Int
            var fields: [String: JSON]
            var parent: String?
            var wasEdited: Bool
        }

        let content: Mutex<Serialization>
        private let added = Mutex<(@Sendable () -> Void)?>(nil)

        init(_ serialization: Serialization?, of database: CKDatabase) {
            let settings = database.container.configuration
            let empty = Serialization(
                container: settings.identifier, environment: settings.environment, scope: database.databaseScope)
            guard let old = serialization, old.version == empty.version, old.container == empty.container,
                old.environment == empty.environment, old.scope == empty.scope
            else {
                // Another database's state says nothing about this one.
                content = Mutex(empty)
                return
            }
            content = Mutex(old)
        }

        /// The latest version of each pending change.
        var generations: [CKRecord.ID: Int] {
            content.withLock { content in
                Dictionary(content.recordChanges.map { ($0.change.recordID, $0.generation) }, uniquingKeysWith: { $1 })
            }
        }

        var serialization: Serialization { content.withLock { $0 } }
        func onAdd(_ action: @escaping @Sendable () -> Void) { added.withLock { $0 = action } }

        public var pendingRecordZoneChanges: [PendingRecordZoneChange] {
            content.withLock { $0.recordChanges.map(\.change) }
        }

        public var pendingDatabaseChanges: [PendingDatabaseChange] { content.withLock { $0.databaseChanges } }

        public var zoneIDsWithUnfetchedServerChanges: [CKRecordZone.ID] {
            content.withLock { $0.zones.filter(\.value.needsFetch).map(\.key) }
        }

        /// Of several changes of a record the last one stays.
        public func add(pendingRecordZoneChanges changes: [PendingRecordZoneChange]) {
            content.withLock { content in
                let ids = Set(changes.map(\.recordID))
                content.recordChanges.removeAll { ids.contains($0.change.recordID) }
                for (id, last) in changes.grouped(by: \.recordID) {
                    content.generation += 1
                    content.recordChanges.append(
                        Pending(change: last.last ?? .saveRecord(id), generation: content.generation))
                }
            }
            added.withLock { $0 }?()
        }

        public func remove(pendingRecordZoneChanges changes: [PendingRecordZoneChange]) {
            content.withLock { $0.recordChanges.removeAll { changes.contains($0.change) } }
        }

        public func add(pendingDatabaseChanges changes: [PendingDatabaseChange]) {
            content.withLock { content in
                let ids = Set(changes.map(\.zoneID))
                content.databaseChanges.removeAll { ids.contains($0.zoneID) }
                content.databaseChanges += changes
            }
            added.withLock { $0 }?()
        }

        public func remove(pendingDatabaseChanges changes: [PendingDatabaseChange]) {
            content.withLock { $0.databaseChanges.removeAll { changes.contains($0) } }
        }
    }
}
