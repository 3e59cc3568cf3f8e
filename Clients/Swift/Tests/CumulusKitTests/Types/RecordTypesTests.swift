import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

/// What `cumulus schema types` makes, used against a server. A test of the program holds EveryKind.swift to it.
@Suite(.cumulus, .timeLimit(.minutes(1)))
struct RecordTypesTests {
    private var database: CKDatabase { CumulusTest.container.privateCloudDatabase }

    private func saved(_ kinds: EveryKind) async throws -> EveryKind {
        try await database.save(kinds.record)
        return try #require(EveryKind(try await database.record(for: kinds.record.recordID)))
    }

    @Test("A value of each type comes back as it was set")
    func values() async throws {
        let kinds = EveryKind()
        let (place, date) = (CKLocation(latitude: 56.95, longitude: 24.1), Date(timeIntervalSince1970: 1_767_225_600.5))
        let target = CKRecord.Reference(recordID: kinds.record.recordID, action: .none)
        kinds.asset = CKAsset(data: Data("file".utf8))
        kinds.bytes = Data([0, 255])
        kinds.double = 0.5
        kinds.int64 = .max
        kinds.location = place
        kinds.number = 2.5
        kinds.reference = target
        kinds.string = "text"
        kinds.timestamp = date
        let found = try await saved(kinds)
        #expect(try await found.asset?.data() == Data("file".utf8))
        #expect(found.bytes == Data([0, 255]) && found.double == 0.5 && found.int64 == .max)
        #expect(found.location == place && found.number == 2.5 && found.reference == target)
        #expect(found.string == "text" && found.timestamp == date && found.strings == nil)
    }

    @Test("A list of each type comes back as it was set, an empty one too")
    func lists() async throws {
        let kinds = EveryKind()
        let (place, date) = (CKLocation(latitude: 56.95, longitude: 24.1), Date(timeIntervalSince1970: 1_767_225_600.5))
        let target = CKRecord.Reference(recordID: kinds.record.recordID, action: .none)
        kinds.assets = [CKAsset(data: Data("file".utf8))]
        kinds.bytesList = [Data([0]), Data()]
        kinds.doubles = [0.5, 2]
        kinds.int64s = []
        kinds.locations = [place]
        kinds.numbers = [1, 2.5]
        kinds.references = [target]
        kinds.strings = ["a", "b"]
        kinds.timestamps = [date]
        let found = try await saved(kinds)
        #expect(try await found.assets?.first?.data() == Data("file".utf8))
        #expect(found.bytesList == [Data([0]), Data()] && found.doubles == [0.5, 2] && found.int64s == [])
        #expect(found.locations == [place] && found.numbers == [1, 2.5] && found.references == [target])
        #expect(found.strings == ["a", "b"] && found.timestamps == [date])
    }

    /// The server refuses a plain value for what is declared encrypted.
    @Test("Encrypted fields are written as such, also a second time")
    func encrypted() async throws {
        let kinds = EveryKind()
        kinds.secretBytes = Data([1])
        kinds.secretDate = Date(timeIntervalSince1970: 1)
        kinds.secretDouble = 0.5
        kinds.secretInt64 = 7
        kinds.secretLocation = CKLocation(latitude: 1, longitude: 2)
        kinds.secretString = "a"
        kinds.secretStrings = ["a"]
        let found = try await saved(kinds)
        #expect(found.secretBytes == Data([1]) && found.secretDate == Date(timeIntervalSince1970: 1))
        #expect(found.secretDouble == 0.5 && found.secretInt64 == 7 && found.secretStrings == ["a"])
        #expect(found.secretLocation == CKLocation(latitude: 1, longitude: 2))
        found.secretString = "b"
        #expect(try await saved(found).secretString == "b")
    }

    @Test("A cleared field is gone after the save")
    func clearing() async throws {
        let kinds = EveryKind(recordID: CKRecord.ID(recordName: "kinds"))
        kinds.string = "a"
        kinds.int64 = 1
        let found = try await saved(kinds)
        found.string = nil
        #expect(try await saved(found).record.allKeys() == ["int64"])
    }

    @Test("A record of another type is refused")
    func otherTypes() {
        let record = CKRecord(recordType: DateRecord.recordType)
        #expect(record.recordType == "Date" && DateRecord(record)?.record === record)
        #expect(EveryKind(record) == nil && a_b_c(CKRecord(recordType: "a-b.c")) == nil)
        #expect(a_b_c_2(CKRecord(recordType: "a-b.c")) != nil)
    }

    @Test("Words of the language name fields")
    func words() {
        let record = classRecord()
        record.`init` = "init"
        record.`Type` = "Type"
        record.`self` = "self"
        record.default = "default"
        record.recordField = "record"
        record.SelfField = "Self"
        #expect(record.record.recordType == "class")
        let keys = ["Self", "Type", "default", "init", "record", "self"]
        #expect(record.record.allKeys() == keys && keys.allSatisfy { record.record[$0] == $0 })
    }

    @Test("A share's own fields have their names without the dot")
    func shares() {
        let share = CKShare(rootRecord: CKRecord(recordType: "Note"))
        CloudKitShare(share)?.title = "Groceries"
        #expect(share.title == "Groceries" && Users(share) == nil)
    }
}
