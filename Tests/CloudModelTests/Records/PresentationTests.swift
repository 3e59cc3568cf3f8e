import CloudModel
import Testing

/// The JSON of stored records in responses (reference A §2.3, §3.5, §4.1).
struct PresentationTests {
    private static let fields = #"""
        {"i":{"value":9007199254740993,"type":"INT64"},"d":{"value":5.0,"type":"DOUBLE"},"s":{"value":"1","type":"STRING"},"t":{"value":7,"type":"TIMESTAMP"},"l":{"value":[1,2],"type":"INT64_LIST"},"p":{"value":{"latitude":1.5,"longitude":2.0},"type":"LOCATION"}}
        """#
    private let stored = RecordBody(
        RecordBody.Header(
            recordName: "a\"b", recordType: "Note", changeTag: "1e",
            created: RecordBody.Stamp(timestamp: Timestamp(milliseconds: 1), userRecordName: "_alice"),
            modified: RecordBody.Stamp(timestamp: Timestamp(milliseconds: 2), userRecordName: "_bob"),
            parent: "p", shortGUID: "0abc"),
        fields: Array(fields.utf8), zone: .notes)

    @Test("Without options the answer is the stored record") func storedForm() throws {
        let expected = #"""
            {"recordName":"a\"b","recordType":"Note","fields":\#(Self.fields),"pluginFields":{},"recordChangeTag":"1e","created":{"timestamp":1,"userRecordName":"_alice","deviceID":"iCloud"},"modified":{"timestamp":2,"userRecordName":"_bob","deviceID":"iCloud"},"deleted":false,"parent":{"recordName":"p"},"shortGUID":"0abc","zoneID":{"zoneName":"Notes","ownerRecordName":"_alice","zoneType":"REGULAR_CUSTOM_ZONE"}}
            """#
        #expect(String(decoding: stored.bytes, as: UTF8.self) == expected)
        #expect(try Presentation().apply(to: stored) == stored)
    }

    @Test(
        "An answer has the desired fields only, and all system fields",
        arguments: [
            (["i", "nope", "recordName", "i"], ["i"]), ([], []), (["t", "d"], ["d", "t"]),
        ])
    func desiredFields(desired: [String], shown: [String]) throws {
        let record = try Presentation(desiredKeys: Set(desired)).apply(to: stored).json()
        #expect(record["fields"]?.object?.members.map(\.key) == shown)
        #expect(record["recordChangeTag"] == .string("1e"))
        #expect(record["created"]?.object?["timestamp"] == .integer(1))
    }

    @Test("With numbersAsStrings every number of a record is a string") func numbersAsStrings() throws {
        let record = try Presentation(numbersAsStrings: true).apply(to: stored).json()
        let fields = record["fields"]?.object
        let value = { (name: String) in fields?[name]?.object?["value"] }
        #expect(value("i") == .string("9007199254740993"))
        #expect(value("d") == .string("5.0"))
        #expect(value("t") == .string("7"))
        #expect(value("l") == .array([.string("1"), .string("2")]))
        #expect(value("p")?.object?["latitude"] == .number(1.5))
        #expect(record["created"]?.object?["timestamp"] == .integer(1))
    }

    @Test("A tombstone is answered with its name alone, whatever the options") func bareTombstone() throws {
        let tombstone = RecordBody.tombstone("x")
        #expect(String(decoding: tombstone.bytes, as: UTF8.self) == #"{"recordName":"x","deleted":true}"#)
        #expect(try Presentation(desiredKeys: [], numbersAsStrings: true).apply(to: tombstone) == tombstone)
    }

    @Test(
        "Options of the wrong type are refused",
        arguments: [
            #"{"desiredKeys":5}"#, #"{"desiredKeys":[5]}"#, #"{"desiredKeys":"a"}"#, #"{"numbersAsStrings":"yes"}"#,
        ])
    func wrongTypes(text: String) throws {
        let object = try #require(try json(text).object)
        #expect(throws: ServerError.self) { try Presentation().overridden(by: object) }
    }

    @Test("numberAsStrings and a lone desired key count as numbersAsStrings and a list") func otherSpelling() throws {
        let object = try #require(try json(#"{"numberAsStrings":true,"desiredKeys":["a"]}"#).object)
        #expect(try Presentation().overridden(by: object) == Presentation(desiredKeys: ["a"], numbersAsStrings: true))
    }
}
