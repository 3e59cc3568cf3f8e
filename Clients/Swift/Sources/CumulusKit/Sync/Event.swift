public import Foundation

extension CKSyncEngine {
    public enum SyncReason: Sendable {
        case scheduled
        case manual
    }

    public struct SendChangesContext: Sendable {
        public let reason: SyncReason
    }

    public enum Event: Sendable {
        /// Store this state after handling all earlier events.
        case stateUpdate(State.Serialization)
        case accountChange(AccountChange)
        case willFetchChanges
        case didFetchChanges
        case fetchedDatabaseChanges(FetchedDatabaseChanges)
        case willFetchRecordZoneChanges(CKRecordZone.ID)
        /// The zone was read to its end, or failed.
        case didFetchRecordZoneChanges(CKRecordZone.ID, CKError?)
        case fetchedRecordZoneChanges(FetchedRecordZoneChanges)
        case willSendChanges
        case didSendChanges
        case sentDatabaseChanges(SentDatabaseChanges)
        case sentRecordZoneChanges(SentRecordZoneChanges)
        /// The server refused the zone's change token, as after a restore: all records come again, and missing records are
        /// reported at the end. Pending changes stay.
        case willResync(CKRecordZone.ID, restoredTo: Date?)
    }

    public enum AccountChange: Sendable {
        case signIn(currentUser: CKRecord.ID)
        /// `dropped` contains the discarded pending changes.
        case signOut(previousUser: CKRecord.ID, dropped: [PendingRecordZoneChange])
        case switchAccounts(
            previousUser: CKRecord.ID, currentUser: CKRecord.ID, dropped: [PendingRecordZoneChange])
    }

    public struct FetchedDatabaseChanges: Sendable {
        public let modifications: [CKRecordZone.ID]
        /// Deleted zones, each with its dropped pending changes.
        public let deletions: [ZoneDeletion]
    }

    public struct ZoneDeletion: Sendable {
        public let zoneID: CKRecordZone.ID
        public let reason: CKDatabase.DatabaseChange.Deletion.Reason
        public let dropped: [PendingRecordZoneChange]
    }

    public struct FetchedRecordZoneChanges: Sendable {
        public struct Deletion: Sendable {
            public enum Reason: Sendable, Equatable {
                case deleted
                /// The server's full listing, requested after a refused token, lacks the record. After a restore, a record last
                /// changed after `restoredTo` was lost rather than deleted.
                case missingAfterResync(restoredTo: Date?)
            }

            public let recordID: CKRecord.ID
            public let reason: Reason
        }

        public let zoneID: CKRecordZone.ID
        public let modifications: [CKRecord]
        public let deletions: [Deletion]
    }

    public struct SentDatabaseChanges: Sendable {
        public let savedZones: [CKRecordZone.ID]
        public let failedZoneSaves: [(zoneID: CKRecordZone.ID, error: CKError)]
        public let deletedZoneIDs: [CKRecordZone.ID]
        public let failedZoneDeletes: [(zoneID: CKRecordZone.ID, error: CKError)]
    }

    public struct SentRecordZoneChanges: Sendable {
        public let savedRecords: [CKRecord]
        /// Conflicts have the code `serverRecordChanged` and the server's record: merge into that record and add it again.
        public let failedRecordSaves: [(record: CKRecord, error: CKError)]
        public let deletedRecordIDs: [CKRecord.ID]
        public let failedRecordDeletes: [(recordID: CKRecord.ID, error: CKError)]
        /// Records added again during the send; their newer version awaits sending.
        public let stillPending: Set<CKRecord.ID>
    }

    public struct RecordZoneChangeBatch: Sendable {
        public var recordsToSave: [CKRecord]
        public var recordIDsToDelete: [CKRecord.ID]
        public var atomicByZone = false

        public init(recordsToSave: [CKRecord] = [], recordIDsToDelete: [CKRecord.ID] = []) {
            self.recordsToSave = recordsToSave
            self.recordIDsToDelete = recordIDsToDelete
        }

        /// Fills a batch with pending changes, in order, up to a request's limit. Records without a value from the provider are
        /// skipped and stay pending.
        public init?(
            pendingChanges: [PendingRecordZoneChange], recordProvider: (CKRecord.ID) async -> CKRecord?
        ) async {
            self.init()
            for change in pendingChanges where recordsToSave.count + recordIDsToDelete.count < CKDatabase.mostOperations
            {
                switch change {
                case .saveRecord(let id):
                    if let record = await recordProvider(id) { recordsToSave.append(record) }
                case .deleteRecord(let id): recordIDsToDelete.append(id)
                }
            }
            if recordsToSave.isEmpty && recordIDsToDelete.isEmpty { return nil }
        }
    }
}
