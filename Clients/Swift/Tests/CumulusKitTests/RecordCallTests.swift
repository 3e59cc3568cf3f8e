import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

@Suite(.cumulus, .timeLimit(.minutes(1)))
struct RecordCallTests {
    private var database: CKDatabase { CumulusTest.container.privateCloudDatabase }

    private func zone(_ name: String = "Journal") async throws -> CKRecordZone.ID {
        try await database.save(CKRecordZone(zoneName: name)).zoneID
    }

    @Test func anAnswerThatIsLostIsNoticedAtOnceAndTheRecordIsThereOnce() async throws {
        for hangUp in [CumulusEmulator.Fault.HangUp.before, .after] {
            try await CumulusTest.emulator.add(.init(route: "records/modify", nth: 1, hangUp: hangUp))
            let note = CKRecord(recordType: "Note")
            // Waiting for the end of the request's time would take longer than this test may.
            try await database.save(note)
            #expect(try await database.record(for: note.recordID).recordType == "Note")
            try await CumulusTest.emulator.reset(keepSchema: true)
        }
    }

    @Test("A record with a value of each type comes back as it was saved")
    func everyType() async throws {
        let note = CKRecord(recordType: "Note", zoneID: try await zone())
        let date = Date(timeIntervalSince1970: 1_767_225_600.123)
        let target = CKRecord.Reference(recordID: note.recordID, action: .none)
        note["text"] = "Grüße \"\\\n\u{1F600}"
        note["count"] = 9_007_199_254_740_993
        note["whole"] = 3.0
        note["isDone"] = true
        note["due"] = date
        note["bytes"] = Data([0, 1, 255])
        note["place"] = CKLocation(latitude: 56.95, longitude: 24.1)
        note["next"] = target
        note["tags"] = ["a", "b"]
        note["numbers"] = [Int]()
        try await database.save(note)
        #expect(note.changedKeys().isEmpty)

        let found = try await database.record(for: note.recordID)
        #expect(found["text"] == "Grüße \"\\\n\u{1F600}")
        #expect(found["count"] == 9_007_199_254_740_993)
        #expect(found.value(of: "whole") == .double(3))
        #expect(found["isDone"] == true)
        #expect(found["due"] == date)
        #expect(found["bytes"] == Data([0, 1, 255]))
        #expect(found["place"] == CKLocation(latitude: 56.95, longitude: 24.1))
        #expect(found["next"] == target)
        #expect(found["tags"] == ["a", "b"])
        #expect(found["numbers"] == [Int]())
        #expect(found["count"] as? Int == 9_007_199_254_740_993)
    }

    @Test("A cleared field is gone after the save, and the others stay")
    func clearing() async throws {
        let note = CKRecord(recordType: "Note")
        note["title"] = "Groceries"
        note["stars"] = 4
        try await database.save(note)
        note["stars"] = nil
        try await database.save(note)
        #expect(try await database.record(for: note.recordID).allKeys() == ["title"])
    }

    @Test("A stale save is refused with the server's record and the ancestor, and the server's record can be saved")
    func conflict() async throws {
        let mine = CKRecord(recordType: "Note")
        mine["title"] = "first"
        try await database.save(mine)
        let theirs = try await database.record(for: mine.recordID)
        theirs["title"] = "theirs"
        try await database.save(theirs)
        mine["title"] = "mine"
        let error = try await #require(throws: CKError.self) { try await database.save(mine) }
        #expect(error.code == .serverRecordChanged)
        #expect(error.ancestorRecord?["title"] == "first")
        #expect(error.clientRecord?["title"] == "mine")
        let server = try #require(error.serverRecord)
        #expect(server["title"] == "theirs")
        server["title"] = "merged"
        try await database.save(server)
        #expect(try await database.record(for: mine.recordID)["title"] == "merged")
    }

    @Test("The policies that compare no version write over what is there, and leave the server's other fields")
    func policies() async throws {
        let mine = CKRecord(recordType: "Note")
        mine["title"] = "first"
        mine["stars"] = 1
        try await database.save(mine)
        let theirs = try await database.record(for: mine.recordID)
        theirs["title"] = "theirs"
        theirs["extra"] = "kept"
        try await database.save(theirs)
        mine["stars"] = 2
        _ = try await database.modifyRecords(saving: [mine], deleting: [], savePolicy: .changedKeys)
            .saveResults[mine.recordID]?.get()
        #expect(try await database.record(for: mine.recordID)["title"] == "theirs")
        mine["title"] = "mine"
        _ = try await database.modifyRecords(saving: [mine], deleting: [], savePolicy: .allKeys)
            .saveResults[mine.recordID]?.get()
        let found = try await database.record(for: mine.recordID)
        #expect(found["title"] == "mine")
        #expect(found["extra"] == "kept")
    }

    @Test("Each item of a call has its own result")
    func itemResults() async throws {
        let zone = try await zone()
        let good = CKRecord(recordType: "Note", zoneID: zone)
        let taken = CKRecord(recordType: "Note", recordID: .init(recordName: "taken", zoneID: zone))
        try await database.save(taken)
        let second = CKRecord(recordType: "Note", recordID: taken.recordID)
        let loose = try await database.modifyRecords(saving: [good, second], deleting: [], atomically: false)
        #expect(throws: Never.self) { try loose.saveResults[good.recordID]?.get() }
        #expect(throws: CKError.self) { try loose.saveResults[second.recordID]?.get() }
        let third = CKRecord(recordType: "Note", zoneID: zone)
        let atomic = try await database.modifyRecords(saving: [third, second], deleting: [])
        let sibling = #expect(throws: CKError.self) { try atomic.saveResults[third.recordID]?.get() }
        #expect(sibling?.code == .batchRequestFailed)
        let missing = CKRecord.ID(recordName: "missing", zoneID: zone)
        let found = try await database.records(for: [good.recordID, missing])
        let miss = #expect(throws: CKError.self) { try found[missing]?.get() }
        #expect(miss?.code == .unknownItem)
    }

    @Test("More records than a request holds are split, and refused where they must be saved together")
    func splitting() async throws {
        let zone = try await zone()
        let notes = (0..<450).map { index in
            let note = CKRecord(recordType: "Note", recordID: .init(recordName: "n\(index)", zoneID: zone))
            note["index"] = index
            return note
        }
        let refused = await #expect(throws: CKError.self) {
            try await database.modifyRecords(saving: notes, deleting: [])
        }
        #expect(refused?.code == .limitExceeded)
        let saved = try await database.modifyRecords(saving: notes, deleting: [], atomically: false)
        for result in saved.saveResults.values { _ = try result.get() }
        let found = try await database.records(for: notes.map(\.recordID))
        #expect(found.count == 450)
        let deleted = try await database.modifyRecords(
            saving: [], deleting: notes.map(\.recordID), atomically: false)
        #expect(deleted.deleteResults.count == 450)
    }

    @Test("A record twice in a call is refused before anything is sent")
    func twice() async throws {
        let note = CKRecord(recordType: "Note")
        let error = await #expect(throws: CKError.self) {
            try await database.modifyRecords(saving: [note, note], deleting: [])
        }
        #expect(error?.code == .invalidArguments)
    }

    @Test("System fields bring back the version, so that only what is set afterwards is saved")
    func systemFields() async throws {
        let note = CKRecord(recordType: "Note")
        note["title"] = "Groceries"
        try await database.save(note)
        let again = try CKRecord.decoding(systemFields: note.encodedSystemFields())
        #expect(again.recordChangeTag == note.recordChangeTag)
        #expect(again.allKeys().isEmpty)
        again["stars"] = 5
        try await database.save(again)
        #expect(again["title"] == "Groceries")
        #expect(throws: (any Error).self) { try CKRecord.decoding(systemFields: Data("{".utf8)) }
    }

    @Test("An asset's bytes come back, and a save without a change to it sends none")
    func assets() async throws {
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let note = CKRecord(recordType: "Photo", zoneID: try await zone())
        note["image"] = CKAsset(data: bytes)
        note["pages"] = [CKAsset(data: Data("one".utf8)), CKAsset(data: Data("two".utf8))]
        try await database.save(note)
        let found = try await database.record(for: note.recordID)
        let image: CKAsset = try #require(found["image"])
        #expect(image.fileURL == nil)
        let file = try await image.download()
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == bytes)
        let pages: [CKAsset] = try #require(found["pages"])
        #expect(try await pages[1].data() == Data("two".utf8))
        found["title"] = "Sea"
        try await database.save(found)
        #expect((found["image"] as CKAsset?)?.size == 100_000)
    }

    @Test("A query finds what its predicate says, page by page, in order")
    func queries() async throws {
        let zone = try await zone()
        let notes = (0..<7).map { index in
            let note = CKRecord(recordType: "Note", zoneID: zone)
            note["index"] = index
            note["title"] = index.isMultiple(of: 2) ? "even \(index)" : "odd \(index)"
            return note
        }
        _ = try await database.modifyRecords(saving: notes, deleting: [])
        let query = CKQuery(
            recordType: "Note",
            predicate: .field("index", .greaterOrEqual, 1).and(.field("title", .beginsWith, "odd")),
            sortDescriptors: [.init(key: "index", ascending: false)])
        let first = try await database.records(matching: query, inZoneWith: zone, resultsLimit: 2)
        #expect(try first.matchResults.map { try $0.1.get()["index"] } == [5, 3])
        let cursor = try #require(first.queryCursor)
        let second = try await database.records(continuingMatchFrom: cursor)
        #expect(try second.matchResults.map { try $0.1.get()["index"] } == [1])
        #expect(second.queryCursor == nil)
        let listed = CKQuery(recordType: "Note", predicate: .field("index", .in, [2, 4]))
        #expect(try await database.records(matching: listed).matchResults.count == 2)
        #expect(
            try await database.records(matching: CKQuery(recordType: "Note", predicate: .none)).matchResults.isEmpty)
    }

    @Test("A zone's changes come page by page, and a token of nowhere is refused as such")
    func changes() async throws {
        let zone = try await zone()
        let notes = (0..<3).map { CKRecord(recordType: "Note", recordID: .init(recordName: "n\($0)", zoneID: zone)) }
        _ = try await database.modifyRecords(saving: notes, deleting: [])
        let first = try await database.recordZoneChanges(inZoneWith: zone, since: nil, resultsLimit: 2)
        #expect(first.records.map(\.recordID.recordName) == ["n0", "n1"])
        #expect(first.moreComing)
        let second = try await database.recordZoneChanges(inZoneWith: zone, since: first.changeToken)
        #expect(second.records.map(\.recordID.recordName) == ["n2"])
        try await database.deleteRecord(withID: notes[0].recordID)
        let third = try await database.recordZoneChanges(inZoneWith: zone, since: second.changeToken)
        #expect(third.deletions.map(\.recordID) == [notes[0].recordID])

        let zones = try await database.databaseChanges(since: nil)
        #expect(zones.modifications.map(\.zoneID) == [zone])
        let damaged = try JSONDecoder().decode(CKServerChangeToken.self, from: Data(#"{"value": "AAAA"}"#.utf8))
        let error = await #expect(throws: CKError.self) {
            try await database.recordZoneChanges(inZoneWith: zone, since: damaged)
        }
        #expect(error?.code == .changeTokenExpired)
    }

    @Test("Zones are made, listed and deleted, each with its result")
    func zones() async throws {
        let zone = try await zone("Trips")
        #expect(try await database.allRecordZones().map(\.zoneID).contains(zone))
        #expect(try await database.recordZone(for: zone).capabilities.contains(.atomic))
        try await database.deleteRecordZone(withID: zone)
        let error = await #expect(throws: CKError.self) { try await database.recordZone(for: zone) }
        #expect(error?.code == .zoneNotFound)
    }
}
