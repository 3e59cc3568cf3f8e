import CumulusKit
import Foundation
import Synchronization

/// A device that keeps the list for itself, and in step with the others by an engine with a state of its own.
final class Device: CKSyncEngineDelegate {
    private let records = Mutex<[CKRecord.ID: CKRecord]>([:])
    private let state = Mutex<CKSyncEngine.State.Serialization?>(nil)
    private let database: CKDatabase
    private let running = Mutex<CKSyncEngine?>(nil)

    init(_ app: CKContainer) {
        database = app.privateCloudDatabase
        start()
    }

    /// Starts the app, again too: the engine goes on from the state that was stored.
    func start() {
        var configuration = CKSyncEngine.Configuration(
            database: database, stateSerialization: state.withLock { $0 }, delegate: self)
        configuration.automaticallySync = false
        let engine = CKSyncEngine(configuration)
        running.withLock { $0 = engine }
    }

    var engine: CKSyncEngine {
        guard let engine = running.withLock({ $0 }) else { preconditionFailure("A device is started when it is made.") }
        return engine
    }

    /// What is on the list: `milk: amount 2, bought 1`.
    var list: [String] {
        records.withLock { records in
            records.values.map { record in
                let fields = record.allKeys().map { "\($0) \(record[$0] as Int? ?? 0)" }
                return "\(record.name): \(fields.joined(separator: ", "))"
            }.sorted()
        }
    }

    func set(_ field: CKRecord.FieldKey, _ value: Int, of name: String) {
        let id = Shopping.id(name)
        records.withLock { records in
            let record = records[id] ?? CKRecord(recordType: Shopping.type, recordID: id)
            record[field] = value
            records[id] = record
        }
        engine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
    }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        switch event {
        case .stateUpdate(let news): state.withLock { $0 = news }
        case .fetchedRecordZoneChanges(let changes):
            for record in changes.modifications { take(record) }
            records.withLock { records in
                for deletion in changes.deletions { records[deletion.recordID] = nil }
            }
        case .sentRecordZoneChanges(let sent):
            for record in sent.savedRecords { take(record) }
            for (record, error) in sent.failedRecordSaves {
                guard let server = error.serverRecord else { continue }
                take(server)
                syncEngine.state.add(pendingRecordZoneChanges: [.saveRecord(record.recordID)])
            }
        default: break
        }
    }

    /// Takes the server's record in. Fields that were set here and not sent yet stay as they are here.
    private func take(_ server: CKRecord) {
        records.withLock { records in
            if let mine = records[server.recordID] {
                for key in mine.changedKeys() { server.set(key, mine.value(of: key)) }
            }
            records[server.recordID] = server
        }
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        await CKSyncEngine.RecordZoneChangeBatch(
            pendingChanges: syncEngine.state.pendingRecordZoneChanges
        ) { id in records.withLock { $0[id] } }
    }
}
