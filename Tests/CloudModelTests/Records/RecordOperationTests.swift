import CloudModel
import Testing

/// Reading one element of `operations` (reference A §4.1, §4.2).
struct RecordOperationTests {
    private func parse(_ text: String) throws -> Result<RecordOperation, RecordOperation.Refused> {
        try RecordOperation.parse(json(text), at: 3, defaults: Presentation(), limits: Limits())
    }

    @Test(
        "An operation that is not an object fails the whole request",
        arguments: [
            ("5", "operations[3] must be an object, not a number"),
            ("{}", "operations[3].operationType is missing"),
            (#"{"operationType":"upsert","record":{}}"#, "operations[3].operationType 'upsert' is unknown"),
            (#"{"operationType":"create"}"#, "operations[3].record is missing"),
            (#"{"operationType":"create","record":[]}"#, "operations[3].record is missing"),
            (
                #"{"operationType":"create","record":{"recordName":5}}"#,
                "operations[3].record.recordName must be a string, not a number"
            ),
        ])
    func notAnObject(text: String, reason: String) {
        #expect(throws: ServerError.badRequest(Reason(known: reason))) { try parse(text) }
    }

    @Test(
        "An operation with a wrong member is refused by itself",
        arguments: [
            (#""operationType":"update","record":{}"#, "recordName is required for operationType 'update'"),
            (#""operationType":"create","record":{"recordType":5}"#, "recordType must be a string, not a number"),
            (#""operationType":"create","record":{"recordType":"9"}"#, "recordType '9' must be a letter"),
            (
                #""operationType":"create","record":{"recordType":"cloudkit.user"}"#,
                "recordType 'cloudkit.user' is reserved"
            ),
            (#""operationType":"create","record":{"recordName":""}"#, "recordName must not be empty"),
            (#""operationType":"create","record":{"fields":[]}"#, "fields must be an object, not an array"),
            (
                #""operationType":"create","record":{"fields":{"a":"x"}}"#,
                "field 'a' must be an object with a value, not a string"
            ),
            (
                #""operationType":"create","record":{"fields":{"a":{"value":1,"type":"BOOL"}}}"#,
                "field 'a' has an unknown type 'BOOL'"
            ),
            (#""operationType":"create","record":{"fields":{"_a":{"value":1}}}"#, "field name '_a' must be a letter"),
            (#""operationType":"create","record":{"recordChangeTag":5}"#, "recordChangeTag must be a string"),
            (#""operationType":"create","desiredKeys":5,"record":{}"#, "desiredKeys must be an array"),
        ])
    func wrongMember(members: String, reason: String) throws {
        guard case .failure(let refused) = try parse("{\(members)}") else {
            Issue.record("accepted")
            return
        }
        #expect(refused.error.code == .badRequest)
        #expect(refused.error.reason.hasPrefix(reason), "\(refused.error.reason)")
    }

    @Test("Members that clients echo from a response are ignored") func echoedMembers() throws {
        let operation = try parse(
            #"""
            {"operationType":"forceUpdate","extra":1,"record":{"recordName":"Reminder/1 +=@:","recordType":"A",
             "pluginFields":{},"deleted":false,"created":{"timestamp":1},"modified":5,"share":{},"shortGUID":"x",
             "fields":null,"createShortGUID":true,"parent":null,"zoneID":{"zoneName":"x"},"desiredKeys":["a"]}}
            """#
        ).get()
        #expect(operation.recordName == "Reminder/1 +=@:")
        #expect(operation.fields.isEmpty)
        #expect(operation.createShortGUID)
        #expect(operation.presentation.desiredKeys == ["a"])
    }

    @Test("Of equal field names the last one counts") func equalFields() throws {
        let fields = try parse(
            #"{"operationType":"create","record":{"recordType":"A","fields":{"a":{"value":1},"b":{},"a":{"value":2}}}}"#
        ).get().fields
        #expect(fields.map(\.name) == ["a", "b"])
        #expect(fields.first?.value == .integer(2))
    }

    @Test("A deletion ignores fields, even malformed ones") func deletionFields() throws {
        let operation = try parse(
            #"{"operationType":"forceDelete","record":{"recordName":"a","recordType":"no type!","fields":{"9":1}}}"#
        ).get()
        #expect(operation.fields.isEmpty)
    }

    @Test("An option of the operation overrides that of the request") func options() throws {
        let defaults = Presentation(desiredKeys: ["x"], numbersAsStrings: true)
        let text = #"{"operationType":"create","numbersAsStrings":false,"desiredKeys":[],"record":{"recordType":"A"}}"#
        let operation = try RecordOperation.parse(json(text), at: 0, defaults: defaults, limits: Limits()).get()
        #expect(operation.presentation == Presentation(desiredKeys: [], numbersAsStrings: false))
    }

    @Test("A record with too many fields is refused with the number and the limit") func tooManyFields() throws {
        let fields = (0..<257).map { #""f\#($0)":{"value":1}"# }.joined(separator: ",")
        guard
            case .failure(let refused) = try parse(
                #"{"operationType":"create","record":{"recordType":"A","fields":{\#(fields)}}}"#)
        else {
            Issue.record("accepted")
            return
        }
        #expect(refused.error == .badRequest("record has 257 fields, at most 256 are allowed"))
    }
}
