import Foundation

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

    /// Pending changes and the engine's progress.
    public final class State: Sendable {
        let content: Mutex<Serialization>
        private let added = Mutex<(@Sendable () -> Void)?>(nil)

        init(_ serialization: Serialization?, of database: CKDatabase) {
            let settings = database.container.configuration
            let empty = Serialization(
                container: settings.identifier, environment: settings.environment, scope: database.databaseScope)
            guard let old = serialization, old.container == empty.container, old.environment == empty.environment,
                old.scope == empty.scope
            else {
                // Discard a state that belongs to another database.
                content = Mutex(empty)
                return
            }
            content = Mutex(old)
        }

        /// The generation of the latest addition.
        var latestGeneration: Int { content.withLock { $0.generation } }

        var hasPendingRecordChanges: Bool { content.withLock { !$0.pending.isEmpty } }

        var serialization: Serialization { content.withLock { $0 } }
        func onAdd(_ action: @escaping @Sendable () -> Void) { added.withLock { $0 = action } }

        public var pendingRecordZoneChanges: [PendingRecordZoneChange] {
            content.withLock { $0.pending.all.map(\.change) }
        }

        public var pendingDatabaseChanges: [PendingDatabaseChange] { content.withLock { $0.databaseChanges } }

        public var zoneIDsWithUnfetchedServerChanges: [CKRecordZone.ID] {
            content.withLock { $0.zones.filter(\.value.needsFetch).map(\.key) }
        }

        /// For several changes of a record, the last replaces the others.
        public func add(pendingRecordZoneChanges changes: [PendingRecordZoneChange]) {
            content.withLock { content in
                for (id, last) in changes.grouped(by: \.recordID) {
                    content.generation += 1
                    let change = last.last ?? .saveRecord(id)
                    content.note(.pending(id, PendingChanges.Item(change: change, generation: content.generation)))
                }
            }
            added.withLock { $0 }?()
        }

        /// Moves changes to the end, so that other changes enter the next batch.
        func moveBack(_ ids: Set<CKRecord.ID>) {
            content.withLock { content in
                for id in ids {
                    guard let change = content.pending[id]?.change else { continue }
                    content.generation += 1
                    content.note(.pending(id, PendingChanges.Item(change: change, generation: content.generation)))
                }
            }
        }

        public func remove(pendingRecordZoneChanges changes: [PendingRecordZoneChange]) {
            content.withLock { content in
                for change in changes where content.pending[change.recordID]?.change == change {
                    content.note(.pending(change.recordID, nil))
                }
            }
        }

        public func add(pendingDatabaseChanges changes: [PendingDatabaseChange]) {
            content.withLock { content in
                let ids = Set(changes.map(\.zoneID))
                content.note(.database(content.databaseChanges.filter { !ids.contains($0.zoneID) } + changes))
            }
            added.withLock { $0 }?()
        }

        public func remove(pendingDatabaseChanges changes: [PendingDatabaseChange]) {
            content.withLock { content in
                content.note(.database(content.databaseChanges.filter { !changes.contains($0) }))
            }
        }
    }
}
