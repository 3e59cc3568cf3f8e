import CumulusKit
import Foundation

/// An app on one device: its records in a file of its own, an engine that keeps them in step, and the habit of being
/// killed between any two writes.
final class Device: CKSyncEngineDelegate {
    struct Item: Codable {
        var fields: [String: Int] = [:]
        var parent: String?
        /// As the server last had it.
        var ancestor: [String: Int] = [:]
        var ancestorParent: String?
        var systemFields: Data?
        var isDirty = true
    }

    struct Store: Codable {
        var items: [String: Item] = [:]
        /// Deleted here and not yet there.
        var graves: Set<String> = []
    }

    private struct Memory {
        var store: Store
        var isDead = false
        /// After how many more writes it dies.
        var fate: Int?
        var events: [String] = []
    }

    static let zone = CKRecordZone.ID(zoneName: "Home")

    let name: String
    /// Of somebody else, for a device that is let into it.
    private let place: CKRecordZone.ID
    private let folder: URL
    private let stateFile: CKSyncEngine.StateFile
    private let memory: Mutex<Memory>
    private let engineBox = Mutex<CKSyncEngine?>(nil)

    /// Opens what is on the disk.
    init(
        _ name: String, _ folder: URL, _ database: CKDatabase, zone: CKRecordZone.ID = zone, automatically: Bool = false
    ) throws {
        self.name = name
        place = zone
        self.folder = folder
        let file = folder.appending(path: "\(name).items")
        let store = try? JSONDecoder().decode(Store.self, from: Data(contentsOf: file))
        memory = Mutex(Memory(store: store ?? Store()))
        stateFile = CKSyncEngine.StateFile(folder.appending(path: "\(name).state"))
        let saved = stateFile.load()
        var configuration = CKSyncEngine.Configuration(
            database: database, stateSerialization: saved.state, delegate: self)
        configuration.automaticallySync = automatically
        configuration.pageSize = 3
        let engine = CKSyncEngine(configuration)
        engineBox.withLock { $0 = engine }
        // What the app has not sent may have been lost from the engine's list by a kill.
        let waiting = memory.withLock { $0.store }
        engine.state.add(
            pendingRecordZoneChanges: waiting.items.filter(\.value.isDirty).keys.sorted().map {
                .saveRecord(ownID($0))
            }
                + waiting.graves.sorted().map { .deleteRecord(ownID($0)) })
        if saved.state == nil, zone == Self.zone { engine.state.add(pendingDatabaseChanges: [.saveZone(zone)]) }
    }

    private func ownID(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: place) }

    static func id(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zone) }

    var engine: CKSyncEngine {
        guard let engine = engineBox.withLock({ $0 }) else { preconditionFailure("A device has an engine.") }
        return engine
    }

    var items: [String: Item] { memory.withLock { $0.store.items } }
    var isDead: Bool { memory.withLock { $0.isDead } }
    var events: [String] { memory.withLock { $0.events } }

    func die(afterWrites count: Int?) { memory.withLock { $0.fate = count } }

    // MARK: what the person does

    /// - Returns: whether it reached the disk.
    func edit(_ name: String, _ change: (inout Item) -> Void) -> Bool {
        let isKept = write { store in
            var item = store.items[name] ?? Item()
            change(&item)
            item.isDirty = true
            store.items[name] = item
            store.graves.remove(name)
        }
        engine.state.add(pendingRecordZoneChanges: [.saveRecord(ownID(name))])
        return isKept
    }

    func delete(_ name: String) -> Bool {
        let isKept = write { store in
            store.items[name] = nil
            store.graves.insert(name)
        }
        engine.state.add(pendingRecordZoneChanges: [.deleteRecord(ownID(name))])
        return isKept
    }

    func sync() async throws {
        try await engine.fetchChanges()
        try await engine.sendChanges()
        try await engine.fetchChanges()
    }

    // MARK: the disk

    private func survives(_ memory: inout Memory) -> Bool {
        if let fate = memory.fate {
            memory.fate = fate - 1
            if fate <= 0 { memory.isDead = true }
        }
        return !memory.isDead
    }

    @discardableResult
    private func write(_ change: (inout Store) -> Void) -> Bool {
        memory.withLock { memory in
            change(&memory.store)
            guard survives(&memory), let data = try? JSONEncoder().encode(memory.store) else { return false }
            return (try? data.write(to: folder.appending(path: "\(name).items"), options: .atomic)) != nil
        }
    }

    private func save(_ state: CKSyncEngine.State.Serialization) {
        memory.withLock { memory in
            guard survives(&memory) else { return }
            try? stateFile.save(state)
        }
    }

    // MARK: what the engine tells

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        if isDead { return }
        memory.withLock { $0.events.append(String("\(event)".prefix { $0 != "(" })) }
        switch event {
        case .stateUpdate(let state): save(state)
        case .fetchedRecordZoneChanges(let changes):
            write { store in
                for record in changes.modifications where !(record is CKShare) {
                    merge(record, into: &store, serverWins: true)
                }
                for deletion in changes.deletions { remove(deletion, from: &store) }
            }
            requeue(syncEngine)
        case .sentRecordZoneChanges(let sent): took(sent, syncEngine)
        case .fetchedDatabaseChanges(let changes): zonesAreGone(changes.deletions, syncEngine)
        default: break
        }
    }

    private func took(_ sent: CKSyncEngine.SentRecordZoneChanges, _ engine: CKSyncEngine) {
        write { store in
            for record in sent.savedRecords { merge(record, into: &store, serverWins: false) }
            for id in sent.deletedRecordIDs { store.graves.remove(id.recordName) }
            for (record, error) in sent.failedRecordSaves {
                switch error.code {
                case .serverRecordChanged:
                    if let server = error.serverRecord { merge(server, into: &store, serverWins: true) }
                // Deleted elsewhere: the deletion stands.
                case .unknownItem: store.items[record.recordID.recordName] = nil
                default: break
                }
            }
        }
        requeue(engine)
    }

    private func zonesAreGone(_ deletions: [CKSyncEngine.ZoneDeletion], _ engine: CKSyncEngine) {
        guard !deletions.isEmpty else { return }
        write { $0 = Store() }
    }

    private func remove(_ deletion: CKSyncEngine.FetchedRecordZoneChanges.Deletion, from store: inout Store) {
        let name = deletion.recordID.recordName
        if case .missingAfterResync = deletion.reason, store.items[name]?.isDirty == true {
            // Not deleted by anybody as far as is known: what was edited here is made again.
            store.items[name]?.systemFields = nil
            store.items[name]?.ancestor = [:]
            return
        }
        store.items[name] = nil
        store.graves.remove(name)
    }

    /// Three ways by field. What left the device itself is never the winner over what was edited since.
    private func merge(_ record: CKRecord, into store: inout Store, serverWins: Bool) {
        let name = record.recordID.recordName
        guard !store.graves.contains(name) else { return }
        var server: [String: Int] = [:]
        for key in record.allKeys() { server[key] = record[key] }
        let parent = record.parent?.recordID.recordName
        var item = store.items[name] ?? Item(isDirty: false)
        for key in Set(server.keys).union(item.fields.keys) {
            let isMine = item.isDirty && item.fields[key] != item.ancestor[key]
            let isTheirs = server[key] != item.ancestor[key] && !engine.state.hasSent(key, of: record)
            if !isMine || (isTheirs && serverWins) { item.fields[key] = server[key] }
        }
        let movedHere = item.isDirty && item.parent != item.ancestorParent
        if !movedHere || (parent != item.ancestorParent && serverWins) { item.parent = parent }
        item.ancestor = server
        item.ancestorParent = parent
        item.systemFields = record.encodedSystemFields()
        item.isDirty = item.fields != server || item.parent != parent
        store.items[name] = item
    }

    /// What a merge left to send is sent again; what it settled is not.
    private func requeue(_ engine: CKSyncEngine) {
        let store = memory.withLock { $0.store }
        let pending = Set(engine.state.pendingRecordZoneChanges)
        let saves = store.items.filter(\.value.isDirty).keys.sorted().map {
            CKSyncEngine.PendingRecordZoneChange.saveRecord(ownID($0))
        }
        engine.state.add(pendingRecordZoneChanges: saves.filter { !pending.contains($0) })
        engine.state.remove(
            pendingRecordZoneChanges: pending.filter { change in
                guard case .saveRecord(let id) = change else { return false }
                return store.items[id.recordName]?.isDirty != true
            })
    }

    // MARK: what the engine asks

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        if isDead { return nil }
        let items = items
        return await CKSyncEngine.RecordZoneChangeBatch(
            pendingChanges: syncEngine.state.pendingRecordZoneChanges
        ) { id in
            guard let item = items[id.recordName] else { return nil }
            let decoded = item.systemFields.flatMap { try? CKRecord.decoding(systemFields: $0) }
            let record = decoded ?? CKRecord(recordType: "Thing", recordID: id)
            for key in Set(item.fields.keys).union(item.ancestor.keys) where item.fields[key] != item.ancestor[key] {
                record[key] = item.fields[key]
            }
            if item.parent != item.ancestorParent { record.setParent(item.parent.map(ownID)) }
            return record
        }
    }
}
