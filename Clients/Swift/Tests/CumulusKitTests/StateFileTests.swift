import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

@Suite(.cumulus, .timeLimit(.minutes(2)))
struct StateFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// An app that uploads records, stores each state, and counts the bytes that this writes.
    private final class Uploader: CKSyncEngineDelegate {
        let file: CKSyncEngine.StateFile
        let url: URL
        let written = Mutex((bytes: 0, size: 0, number: UInt64(0)))

        init(_ url: URL) {
            self.url = url
            file = CKSyncEngine.StateFile(url)
        }

        func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
            guard case .stateUpdate(let state) = event else { return }
            do { try file.save(state) } catch { Issue.record(error) }
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
                let size = attributes[.size] as? Int, let number = attributes[.systemFileNumber] as? UInt64
            else { return }
            written.withLock { written in
                written.bytes += number == written.number ? size - written.size : size
                written.size = size
                written.number = number
            }
        }

        func nextRecordZoneChangeBatch(
            _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
        ) async -> CKSyncEngine.RecordZoneChangeBatch? {
            await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: syncEngine.state.pendingRecordZoneChanges) { id in
                let record = CKRecord(recordType: "Thing", recordID: id)
                record["number"] = 1
                return record
            }
        }
    }

    private func engine(_ app: Uploader, _ state: CKSyncEngine.State.Serialization? = nil) -> CKSyncEngine {
        var configuration = CKSyncEngine.Configuration(
            database: CumulusTest.container.privateCloudDatabase, stateSerialization: state, delegate: app)
        configuration.automaticallySync = false
        return CKSyncEngine(configuration)
    }

    private func upload(_ count: Int, zone: String) async throws -> (bytes: Int, app: Uploader) {
        let app = Uploader(folder.appending(path: "\(zone).state"))
        let engine = engine(app)
        let zone = CKRecordZone.ID(zoneName: zone)
        engine.state.add(pendingDatabaseChanges: [.saveZone(zone)])
        engine.state.add(
            pendingRecordZoneChanges: (0..<count).map {
                .saveRecord(CKRecord.ID(recordName: "r\($0)", zoneID: zone))
            })
        try await engine.sendChanges()
        #expect(engine.state.pendingRecordZoneChanges.isEmpty)
        return (app.written.withLock { $0.bytes }, app)
    }

    @Test("The bytes that are written to upload records grow with their number and no faster")
    func linear() async throws {
        let few = try await upload(400, zone: "Few").bytes
        let many = try await upload(3200, zone: "Many").bytes
        #expect(Double(many) / 3200 < 1.3 * Double(few) / 400, "\(few) bytes for 400 records, \(many) for 3,200")
        #expect(many / 3200 < 2_000)
    }

    @Test("A state that was appended to is read back, also by a second file, and is written anew as it grows")
    func readBack() async throws {
        let app = try await upload(900, zone: "Home").app
        let read = CKSyncEngine.StateFile(app.url).load()
        #expect(!read.wasDamaged)
        let again = Uploader(app.url)
        let engine = engine(again, read.state)
        try await engine.fetchChanges()
        #expect(engine.state.pendingRecordZoneChanges.isEmpty)
        // All records are known, so nothing comes.
        #expect(again.written.withLock { $0.bytes } > 0)
        let lines = try Data(contentsOf: app.url).split(separator: UInt8(ascii: "\n")).count
        #expect(lines < 20)
    }

    @Test("A save that a crash cut off counts as not made", arguments: [1, 10, 200])
    func cutOff(bytes: Int) async throws {
        let app = try await upload(3, zone: "Home").app
        let whole = try Data(contentsOf: app.url)
        #expect(whole.split(separator: UInt8(ascii: "\n")).count > 2)
        try whole.dropLast(bytes).write(to: app.url)
        let (state, wasDamaged) = CKSyncEngine.StateFile(app.url).load()
        #expect(!wasDamaged)
        let engine = engine(Uploader(app.url), state)
        try await engine.fetchChanges()
        #expect(engine.state.zoneIDsWithUnfetchedServerChanges.isEmpty)
    }

    @Test("A state of the first version is taken over with what was pending and known")
    func formerVersion() async throws {
        let url = folder.appending(path: "former.state")
        let settings = CumulusTest.container.configuration
        let change = try JSONEncoder().encode(
            CKSyncEngine.PendingRecordZoneChange.saveRecord(
                CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID(zoneName: "Home"))))
        let zoneID = try JSONEncoder().encode(CKRecordZone.ID(zoneName: "Home"))
        let body = Data(
            """
            {"version":1,"container":"\(settings.identifier)","environment":"\(settings.environment.rawValue)",\
            "scope":\(try scope()),"zones":[\(String(decoding: zoneID, as: UTF8.self)),{"needsFetch":true,"known":{"b":"1"}}],\
            "databaseChanges":[],"recordChanges":[{"change":\(String(decoding: change, as: UTF8.self)),"generation":1}],\
            "inFlight":[],"generation":1}
            """.utf8)
        let checksum = body.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        try (Data("cumulus sync state 1\n\(checksum)\n".utf8) + body).write(to: url)
        let (state, wasDamaged) = CKSyncEngine.StateFile(url).load()
        #expect(!wasDamaged)
        let engine = engine(Uploader(url), state)
        #expect(engine.state.pendingRecordZoneChanges.map(\.recordID.recordName) == ["a"])
        #expect(engine.state.zoneIDsWithUnfetchedServerChanges.map(\.zoneName) == ["Home"])
    }

    private func scope() throws -> String {
        String(decoding: try JSONEncoder().encode(CKDatabase.Scope.private), as: UTF8.self)
    }
}
