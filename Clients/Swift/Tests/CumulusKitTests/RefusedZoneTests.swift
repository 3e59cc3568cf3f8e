import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

@Suite(.cumulus, .timeLimit(.minutes(1)))
struct RefusedZoneTests {
    /// Answers requests about one zone with a refusal.
    private struct RefusingTransport: HTTPTransport {
        let whole: any HTTPTransport
        let zone: String
        let answers: [String: String]

        func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
            let body = String(decoding: request.body ?? Data(), as: UTF8.self)
            guard body.contains("\"\(zone)\""),
                let answer = answers.first(where: { request.url.path().hasSuffix($0.key) })?.value
            else { return try await whole.send(request) }
            let isWhole = answer.hasPrefix("{\"serverErrorCode")
            return HTTPAnswer(status: isWhole ? 400 : 200, headers: [:], body: Data(answer.utf8))
        }

        func stream(_ request: HTTPRequest) async throws -> (status: Int, chunks: AsyncThrowingStream<Data, any Error>)
        {
            try await whole.stream(request)
        }
    }

    /// An app with records in two zones.
    private final class App: CKSyncEngineDelegate {
        let events = Mutex<[CKSyncEngine.Event]>([])

        func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
            events.withLock { $0.append(event) }
        }

        func nextRecordZoneChangeBatch(
            _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
        ) async -> CKSyncEngine.RecordZoneChangeBatch? {
            await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: syncEngine.state.pendingRecordZoneChanges) {
                CKRecord(recordType: "Thing", recordID: $0)
            }
        }
    }

    private func engine(_ app: App, _ answers: [String: String]) async throws -> CKSyncEngine {
        let transport = RefusingTransport(
            whole: CumulusTest.container.configuration.transport, zone: "Bad", answers: answers)
        let container = try await CumulusTest.device("phone", retries: .never, transport: transport)
        var configuration = CKSyncEngine.Configuration(
            database: container.privateCloudDatabase, stateSerialization: nil, delegate: app)
        configuration.automaticallySync = false
        return CKSyncEngine(configuration)
    }

    private static let bad = CKRecordZone.ID(zoneName: "Bad")
    private static let good = CKRecordZone.ID(zoneName: "Good")

    @Test("A zone whose changes are refused is told, and stops neither other zones nor what is to be sent")
    func fetching() async throws {
        let database = CumulusTest.container.privateCloudDatabase
        for zone in [Self.bad, Self.good] {
            try await database.save(CKRecordZone(zoneID: zone))
            try await database.save(CKRecord(recordType: "Thing", recordID: CKRecord.ID(recordName: "a", zoneID: zone)))
        }
        let app = App()
        let engine = try await engine(
            app, ["changes/zone": #"{"zones":[{"serverErrorCode":"BAD_REQUEST","reason":"no such luck"}]}"#])
        let mine = CKRecord.ID(recordName: "mine", zoneID: Self.good)
        engine.state.add(pendingRecordZoneChanges: [.saveRecord(mine)])
        try await engine.fetchChanges()
        try await engine.sendChanges()
        let told = app.events.withLock { $0 }.compactMap { event -> String? in
            guard case .didFetchRecordZoneChanges(let zone, let error?) = event else { return nil }
            return "\(zone.zoneName): \(error.reason)"
        }
        #expect(Set(told) == ["Bad: no such luck"])
        #expect(try await database.record(for: mine).recordID == mine)
    }

    @Test("A zone whose records are refused gives each its error, and the other zone's are saved")
    func sending() async throws {
        let database = CumulusTest.container.privateCloudDatabase
        for zone in [Self.bad, Self.good] { try await database.save(CKRecordZone(zoneID: zone)) }
        let app = App()
        let engine = try await engine(
            app, ["records/modify": #"{"serverErrorCode":"BAD_REQUEST","reason":"no such luck"}"#])
        engine.state.add(
            pendingRecordZoneChanges: [Self.bad, Self.good].map {
                .saveRecord(CKRecord.ID(recordName: "mine", zoneID: $0))
            })
        try await engine.sendChanges()
        let failed = app.events.withLock { $0 }.flatMap { event -> [String] in
            guard case .sentRecordZoneChanges(let sent) = event else { return [] }
            return sent.failedRecordSaves.map { "\($0.record.recordID.zoneID.zoneName): \($0.error.reason)" }
        }
        #expect(failed == ["Bad: no such luck"])
        #expect(engine.state.pendingRecordZoneChanges.isEmpty)
        _ = try await database.record(for: CKRecord.ID(recordName: "mine", zoneID: Self.good))
    }

    @Test("An asset that is refused stops no other record, and a full account holds up none behind it")
    func refusedAsset() async throws {
        let database = CumulusTest.container.privateCloudDatabase
        for zone in [Self.bad, Self.good] { try await database.save(CKRecordZone(zoneID: zone)) }
        let app = App()
        let engine = try await engine(
            app,
            [
                "records/modify":
                    #"{"records":[{"recordName":"mine","serverErrorCode":"QUOTA_EXCEEDED","reason":"full"}]}"#
            ])
        engine.state.add(
            pendingRecordZoneChanges: [Self.bad, Self.good].map {
                .saveRecord(CKRecord.ID(recordName: "mine", zoneID: $0))
            })
        await #expect(throws: CKError.self) { try await engine.sendChanges() }
        #expect(engine.state.pendingRecordZoneChanges.map(\.recordID.zoneID.zoneName) == ["Bad"])
        _ = try await database.record(for: CKRecord.ID(recordName: "mine", zoneID: Self.good))
    }

    @Test("A zone that a restore lost is told apart from one that was deleted")
    func lostZone() async throws {
        let database = CumulusTest.container.privateCloudDatabase
        try await database.save(CKRecordZone(zoneID: Self.good))
        let app = App()
        let engine = try await engine(app, [:])
        try await engine.fetchChanges()
        try await CumulusTest.emulator.takeSnapshot("before")
        for name in ["Lost", "Deleted"] { try await database.save(CKRecordZone(zoneName: name)) }
        try await engine.fetchChanges()
        try await database.deleteRecordZone(withID: CKRecordZone.ID(zoneName: "Deleted"))
        try await engine.fetchChanges()
        try await CumulusTest.emulator.restore("before", keepsTokens: true)
        try await engine.fetchChanges()
        let reasons = app.events.withLock { $0 }.flatMap { event -> [String] in
            guard case .fetchedDatabaseChanges(let changes) = event else { return [] }
            return changes.deletions.map { deletion in
                switch deletion.reason {
                case .missingAfterResync(let restoredTo): "\(deletion.zoneID.zoneName) lost, \(restoredTo == nil)"
                default: "\(deletion.zoneID.zoneName) \(deletion.reason)"
                }
            }
        }
        #expect(reasons == ["Deleted deleted", "Lost lost, false"])
    }
}
