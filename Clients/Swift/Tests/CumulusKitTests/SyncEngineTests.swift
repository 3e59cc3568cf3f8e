import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

@Suite(.cumulus, .timeLimit(.minutes(1)))
struct SyncEngineTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "engine-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var database: CKDatabase { CumulusTest.container.privateCloudDatabase }

    private func other() async throws -> CKDatabase { try await CumulusTest.device("tablet").privateCloudDatabase }

    @Test("What one device adds another gets, and events come in pairs and in order")
    func roundTrip() async throws {
        let phone = try Device("phone", folder, database)
        let tablet = try Device("tablet", folder, try await other())
        _ = phone.edit("a") { $0.fields["both"] = 1 }
        try await phone.sync()
        try await tablet.sync()
        #expect(tablet.items["a"]?.fields == ["both": 1])
        #expect(tablet.items["a"]?.isDirty == false)
        let events = phone.events.filter { $0 != "stateUpdate" }
        #expect(events.first == "accountChange")
        #expect(events.contains("sentDatabaseChanges"))
        #expect(events.filter { $0 == "willFetchChanges" }.count == events.filter { $0 == "didFetchChanges" }.count)
        let send = try #require(events.firstIndex(of: "willSendChanges"))
        #expect(
            events[send...].prefix(4).elementsEqual([
                "willSendChanges", "sentDatabaseChanges", "sentRecordZoneChanges", "didSendChanges",
            ]))
        #expect(!events.contains("fetchedRecordZoneChanges"))
    }

    @Test("Edits of different fields are merged, on both devices")
    func merging() async throws {
        let phone = try Device("phone", folder, database)
        let tablet = try Device("tablet", folder, try await other())
        _ = phone.edit("a") { $0.fields["both"] = 1 }
        try await phone.sync()
        try await tablet.sync()
        _ = phone.edit("a") { $0.fields["phone"] = 2 }
        _ = tablet.edit("a") { $0.fields["tablet"] = 3 }
        try await phone.sync()
        // Without a fetch before, so that the server is what notices.
        try await tablet.engine.sendChanges()
        try await phone.sync()
        for device in [phone, tablet] {
            #expect(device.items["a"]?.fields == ["both": 1, "phone": 2, "tablet": 3])
        }
    }

    @Test("A zone that is deleted elsewhere is told, with what was pending for it")
    func zoneDeleted() async throws {
        let phone = try Device("phone", folder, database)
        _ = phone.edit("a") { $0.fields["both"] = 1 }
        try await phone.sync()
        try await database.deleteRecordZone(withID: Device.zone)
        _ = phone.edit("b") { $0.fields["both"] = 1 }
        try await phone.engine.fetchChanges()
        #expect(phone.items.isEmpty)
        #expect(phone.engine.state.pendingRecordZoneChanges.isEmpty)
    }

    @Test("A zone deleted and made again is read anew: what is gone is told, and what was not sent is sent")
    func refusedToken() async throws {
        let phone = try Device("phone", folder, database)
        _ = phone.edit("a") { $0.fields["both"] = 1 }
        _ = phone.edit("b") { $0.fields["both"] = 1 }
        try await phone.sync()
        try await database.deleteRecordZone(withID: Device.zone)
        try await database.save(CKRecordZone(zoneID: Device.zone))
        _ = phone.edit("b") { $0.fields["phone"] = 2 }
        try await phone.sync()
        #expect(phone.events.contains("willResync"))
        #expect(phone.items.keys.sorted() == ["b"])
        let found = try await database.record(for: Device.id("b"))
        #expect(found["phone"] == 2)
        #expect(found["both"] == 1)
    }

    @Test(
        "A damaged state is put aside, everything is fetched anew, and what was not sent is sent",
        arguments: [0.0, 0.5, 0.99])
    func damagedState(cut: Double) async throws {
        let phone = try Device("phone", folder, database)
        _ = phone.edit("a") { $0.fields["both"] = 1 }
        try await phone.sync()
        _ = phone.edit("b") { $0.fields["both"] = 2 }
        let file = folder.appending(path: "phone.state")
        let whole = try Data(contentsOf: file)
        // Within the first line, which has the whole state; a later line that is cut off counts as not written.
        let first = try #require(whole.range(of: Data("\n".utf8), in: 30..<whole.count)).lowerBound
        var damaged = whole
        let range = Int(Double(first) * cut)..<first
        damaged.replaceSubrange(range, with: Data(repeating: UInt8(ascii: "x"), count: range.count))
        try damaged.write(to: file)
        let again = try Device("phone", folder, database)
        #expect(FileManager.default.fileExists(atPath: file.path + ".damaged"))
        try await again.sync()
        #expect(try await database.record(for: Device.id("b"))["both"] == 2)
        #expect(again.items.keys.sorted() == ["a", "b"])
        #expect(again.engine.state.pendingRecordZoneChanges.isEmpty)
    }

    @Test("Another person at the device gets nothing of what the first had not sent")
    func accountChange() async throws {
        let container = CumulusTest.container
        let phone = try Device("phone", folder, database)
        try await phone.sync()
        _ = phone.edit("secret") { $0.fields["both"] = 1 }
        try await container.signInForDevelopment(email: "ben@example.com")
        try await phone.engine.fetchChanges()
        #expect(phone.events.filter { $0 == "accountChange" }.count == 2)
        #expect(phone.engine.state.pendingRecordZoneChanges.isEmpty)
        #expect(try await database.allRecordZones().contains { $0.zoneID == Device.zone } == false)
        try container.signOut()
        await #expect(throws: CKError.self) { try await phone.engine.fetchChanges() }
        #expect(phone.events.filter { $0 == "accountChange" }.count == 3)
    }

    @Test("An answer that was lost is no conflict, and an edit made since is sent")
    func lostAnswer() async throws {
        let chance = Chance(seed: 1)
        let transport = FaultyTransport(whole: CumulusTest.container.configuration.transport) { path in
            chance.faults > 0 && path.contains("records/modify") ? .cutAfter : .none
        }
        let container = try await CumulusTest.device("phone", retries: .never, transport: transport)
        let phone = try Device("phone", folder, container.privateCloudDatabase)
        try await phone.sync()
        _ = phone.edit("a") { $0.fields["both"] = 1 }
        chance.faults = 1
        await #expect(throws: CKError.self) { try await phone.engine.sendChanges() }
        chance.faults = 0
        _ = phone.edit("a") { $0.fields["both"] = 2 }
        try await phone.sync()
        #expect(try await database.record(for: Device.id("a"))["both"] == 2)
    }

    @Test("What was sent without an answer, and changed by others since, hides no edit that was made since")
    func lostAnswerBeforeAForeignEdit() async throws {
        let chance = Chance(seed: 1)
        let transport = FaultyTransport(whole: CumulusTest.container.configuration.transport) { path in
            chance.faults > 0 && path.contains("records/modify") ? .cutAfter : .none
        }
        let container = try await CumulusTest.device("phone", retries: .never, transport: transport)
        let phone = try Device("phone", folder, container.privateCloudDatabase)
        let tablet = try Device("tablet", folder, try await other())
        try await phone.sync()
        _ = phone.edit("a") { $0.fields = ["phone": 1, "both": 1] }
        chance.faults = 1
        await #expect(throws: CKError.self) { try await phone.engine.sendChanges() }
        chance.faults = 0
        try await tablet.sync()
        _ = tablet.edit("a") { $0.fields["both"] = 5 }
        try await tablet.sync()
        _ = phone.edit("a") { $0.fields["phone"] = 2 }
        try await phone.sync()
        let found = try await database.record(for: Device.id("a"))
        #expect(found["phone"] == 2 && found["both"] == 5)
    }

    @Test(
        "After a restore of the server devices begin anew, agree, and send what was not sent", arguments: [true, false])
    func restoredServer(keepsTokens: Bool) async throws {
        let emulator = CumulusTest.emulator
        let phone = try Device("phone", folder, database)
        let tablet = try Device("tablet", folder, try await other())
        for name in ["a", "b"] { _ = phone.edit(name) { $0.fields["both"] = 1 } }
        try await phone.sync()
        try await tablet.sync()
        try await emulator.takeSnapshot("before")
        _ = phone.edit("lost") { $0.fields["both"] = 1 }
        try await phone.sync()
        try await tablet.sync()
        _ = phone.edit("unsent") { $0.fields["both"] = 1 }
        _ = tablet.edit("a") { $0.fields["both"] = 2 }
        try await emulator.restore("before", keepsTokens: keepsTokens)
        for device in [phone, tablet, phone] { try await device.sync() }
        #expect(phone.events.contains("willResync") && tablet.events.contains("willResync"))
        #expect(phone.items.mapValues(\.fields["both"]) == ["a": 2, "b": 1, "unsent": 1])
        #expect(tablet.items.mapValues(\.fields["both"]) == ["a": 2, "b": 1, "unsent": 1])
        #expect(phone.engine.state.pendingRecordZoneChanges.isEmpty)
    }

    @Test("By itself the engine sends what was added")
    func automatic() async throws {
        let phone = try Device("phone", folder, database, automatically: true)
        _ = phone.edit("a") { $0.fields["both"] = 1 }
        while phone.items["a"]?.isDirty ?? true { try await Task.sleep(for: .milliseconds(20)) }
        phone.engine.cancelOperations()
        #expect(try await database.record(for: Device.id("a"))["both"] == 1)
    }
}
