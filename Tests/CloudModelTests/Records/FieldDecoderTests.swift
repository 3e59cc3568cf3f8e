import CloudModel
import Testing

/// Values decoded from the fields of a request, given the schema (reference A §3).
struct FieldDecoderTests {
    private static let moment = Scalar.timestamp(Timestamp(milliseconds: 5))
    private func decode(
        _ wrapper: String, _ declared: FieldType?, zone: ZoneID = .notes
    ) throws -> FieldDecoder.Typed {
        let field = try WireField(JSONObject.Member(key: "f", value: json(wrapper)))
        let value = try #require(field.value)
        return try FieldDecoder(recordType: "Note", zone: zone).decode(field, value: value, declared: declared)
    }

    @Test(
        "A field's declaration, tag or shape decides the type of its value",
        arguments: [
            // Nothing declared: the tag decides, else the shape.
            (#"{"value":"x"}"#, nil, FieldType(.string), FieldValue.one(.string("x"))),
            (#"{"value":"QUJD"}"#, nil, FieldType(.string), .one(.string("QUJD"))),
            (#"{"value":1}"#, nil, FieldType(.number), .one(.int64(1))),
            (#"{"value":1.5}"#, nil, FieldType(.number), .one(.double(1.5))),
            (#"{"value":true}"#, nil, FieldType(.int64), .one(.int64(1))),
            (#"{"value":[1,2.5]}"#, nil, FieldType(.number, isList: true), .list([.int64(1), .double(2.5)])),
            (#"{"value":["a"]}"#, nil, FieldType(.string, isList: true), .list([.string("a")])),
            (#"{"value":[],"type":"STRING_LIST"}"#, nil, FieldType(.string, isList: true), .list([])),
            (#"{"value":["a"],"type":"LIST"}"#, nil, FieldType(.string, isList: true), .list([.string("a")])),
            (#"{"value":5,"type":"TIMESTAMP"}"#, nil, FieldType(.timestamp), .one(Self.moment)),
            (#"{"value":5,"type":"DOUBLE"}"#, nil, FieldType(.double), .one(.double(5))),
            (#"{"value":5,"type":"NUMBER_INT64"}"#, nil, FieldType(.int64), .one(.int64(5))),
            (#"{"value":"AQ","type":"BYTES"}"#, nil, FieldType(.bytes), .one(.bytes("AQ=="))),
            (
                #"{"value":"x","type":"STRING","isEncrypted":true}"#, nil, FieldType(.string, isEncrypted: true),
                .one(.string("x"))
            ),
            (#"{"value":"x","isEncrypted":true}"#, nil, FieldType(.string, isEncrypted: true), .one(.string("x"))),
            (
                #"{"value":"AQ==","type":"ENCRYPTED_BYTES"}"#, nil, FieldType(.bytes, isEncrypted: true),
                .one(.bytes("AQ=="))
            ),
            // Declared: what can be had without loss is.
            (#"{"value":5}"#, FieldType(.double), FieldType(.double), .one(.double(5))),
            (#"{"value":5}"#, FieldType(.timestamp), FieldType(.timestamp), .one(Self.moment)),
            (#"{"value":5.0}"#, FieldType(.timestamp), FieldType(.timestamp), .one(Self.moment)),
            (#"{"value":1e3}"#, FieldType(.int64), FieldType(.int64), .one(.int64(1000))),
            (#"{"value":false}"#, FieldType(.int64), FieldType(.int64), .one(.int64(0))),
            (#"{"value":"9223372036854775807"}"#, FieldType(.int64), FieldType(.int64), .one(.int64(.max))),
            (#"{"value":"-1.5"}"#, FieldType(.double), FieldType(.double), .one(.double(-1.5))),
            (#"{"value":"7"}"#, FieldType(.number), FieldType(.number), .one(.int64(7))),
            (#"{"value":5,"type":"INT64"}"#, FieldType(.number), FieldType(.number), .one(.int64(5))),
            (#"{"value":"AQID"}"#, FieldType(.bytes), FieldType(.bytes), .one(.bytes("AQID"))),
            (#"{"value":""}"#, FieldType(.bytes), FieldType(.bytes), .one(.bytes(""))),
            // A tag that leaves the element type open leaves it to the schema.
            (
                #"{"value":[1,2],"type":"LIST"}"#, FieldType(.int64, isList: true), FieldType(.int64, isList: true),
                .list([.int64(1), .int64(2)])
            ),
            (
                #"{"value":[1],"type":"UNKNOWN_LIST"}"#, FieldType(.timestamp, isList: true),
                FieldType(.timestamp, isList: true),
                .list([.timestamp(Timestamp(milliseconds: 1))])
            ),
            (
                #"{"value":["AQ"],"type":"LIST"}"#, FieldType(.bytes, isList: true), FieldType(.bytes, isList: true),
                .list([.bytes("AQ==")])
            ),
            (
                #"{"value":[],"type":"EMPTY_LIST"}"#, FieldType(.location, isList: true),
                FieldType(.location, isList: true), .list([])
            ),
            (
                #"{"value":"AQ=="}"#, FieldType(.bytes, isEncrypted: true), FieldType(.bytes, isEncrypted: true),
                .one(.bytes("AQ=="))
            ),
        ] as [(String, FieldType?, FieldType, FieldValue)])
    func decoding(wrapper: String, declared: FieldType?, type: FieldType, value: FieldValue) throws {
        let typed = try decode(wrapper, declared)
        #expect(typed.type == type)
        #expect(typed.value == value)
    }

    @Test(
        "A field value of the wrong form is refused with its reason",
        arguments: [
            (#"{"value":1.5}"#, FieldType(.timestamp), "Invalid value, expected type TIMESTAMP."),
            (#"{"value":1.5,"type":"TIMESTAMP"}"#, nil, "Invalid value, expected type TIMESTAMP."),
            (#"{"value":true}"#, FieldType(.timestamp), "Invalid value, expected type TIMESTAMP."),
            (#"{"value":9223372036854775808}"#, FieldType(.int64), "Invalid value, expected type INT64."),
            (#"{"value":"9223372036854775808"}"#, FieldType(.int64), "Invalid value, expected type INT64."),
            (#"{"value":1.5}"#, FieldType(.int64), "Invalid value, expected type INT64."),
            (#"{"value":1.5,"type":"INT64"}"#, FieldType(.number), "Invalid value, expected type INT64."),
            (
                #"{"value":{"serverErrorCode":"QUOTA_EXCEEDED","reason":"too large"}}"#, FieldType(.asset),
                "field 'f' has no valid asset receipt: its upload was refused, too large"
            ),
            (
                #"{"value":{"serverErrorCode":"QUOTA_EXCEEDED","reason":"too large"}}"#, nil,
                "field 'f' has no valid asset receipt: its upload was refused, too large"
            ),
            (#"{"value":9007199254740993}"#, FieldType(.double), "Invalid value, expected type DOUBLE."),
            (#"{"value":"nan"}"#, FieldType(.double), "Invalid value, expected type DOUBLE."),
            (#"{"value":"1e400"}"#, FieldType(.double), "Invalid value, expected type DOUBLE."),
            (#"{"value":1}"#, FieldType(.string), "Invalid value, expected type STRING."),
            (#"{"value":"Chen!"}"#, FieldType(.bytes), "Invalid value, expected type BYTES."),
            (#"{"value":"A"}"#, FieldType(.bytes), "Invalid value, expected type BYTES."),
            (#"{"value":"x"}"#, FieldType(.string, isList: true), "Invalid value, expected type STRING_LIST."),
            (#"{"value":["x"]}"#, FieldType(.string), "Invalid value, expected type STRING."),
            (#"{"value":[["x"]]}"#, FieldType(.string, isList: true), "Invalid value, expected type STRING_LIST."),
            (#"{"value":["x",1]}"#, nil, "Invalid value, expected type STRING_LIST."),
            (#"{"value":[]}"#, nil, "cannot tell the type of field 'f'"),
            (#"{"value":{}}"#, nil, "cannot tell the type of field 'f'"),
            (#"{"value":"x","type":"LIST"}"#, nil, "Invalid value, expected type LIST."),
            (#"{"value":{"fileChecksum":"x"}}"#, nil, "field 'f' has no valid asset receipt"),
            (
                #"{"value":1,"type":"INT64"}"#, FieldType(.string),
                "invalid attempt to set value type INT64 for field 'f' for type 'Note', defined to be: STRING"
            ),
            (
                #"{"value":"x","type":"STRING"}"#, FieldType(.string, isList: true),
                "invalid attempt to set value type STRING for field 'f' for type 'Note', defined to be: STRING_LIST"
            ),
            (
                #"{"value":1,"type":"DOUBLE"}"#, FieldType(.int64),
                "invalid attempt to set value type DOUBLE for field 'f' for type 'Note', defined to be: INT64"
            ),
            // Encryption (reference A §3.6).
            (
                #"{"value":"x"}"#, FieldType(.string, isEncrypted: true),
                "invalid attempt to set value type ENCRYPTED_BYTES for field 'f' for type 'Note', defined to be: ENCRYPTED_STRING"
            ),
            (
                #"{"value":"x","type":"STRING"}"#, FieldType(.string, isEncrypted: true),
                "invalid attempt to set value type ENCRYPTED_BYTES"
            ),
            (
                #"{"value":"x","type":"STRING","isEncrypted":true}"#, FieldType(.string),
                "Attempt to save encrypted data in non encrypted field type"
            ),
            (
                #"{"value":"x","type":"ENCRYPTED_STRING"}"#, FieldType(.string),
                "Attempt to save encrypted data in non encrypted field type"
            ),
            (
                #"{"value":{"recordName":"x"},"type":"REFERENCE","isEncrypted":true}"#, nil,
                "field 'f' cannot be encrypted"
            ),
        ] as [(String, FieldType?, String)])
    func refused(wrapper: String, declared: FieldType?, reason: String) {
        let error = #expect(throws: ServerError.self) { try decode(wrapper, declared) }
        #expect(error?.code == .badRequest)
        #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
    }

    private static let belowAll = ["-9223372036854775809", "-9223372036854776832", "-9.223372036854775808e18", "-1e19"]

    @Test(
        "Integers below the 64-bit range are refused wherever an integer is required, and not rounded",
        arguments: [
            (FieldType(.int64), #"{"value":§}"#), (nil, #"{"value":§,"type":"INT64"}"#),
            (FieldType(.number), #"{"value":§,"type":"INT64"}"#), (nil, #"{"value":§,"type":"NUMBER_INT64"}"#),
            (FieldType(.int64, isList: true), #"{"value":[1,§]}"#), (nil, #"{"value":[§],"type":"INT64_LIST"}"#),
            (FieldType(.number, isList: true), #"{"value":[§],"type":"INT64_LIST"}"#),
            (FieldType(.int64, isEncrypted: true), #"{"value":§,"isEncrypted":true}"#),
            (FieldType(.timestamp), #"{"value":§}"#), (nil, #"{"value":§,"type":"TIMESTAMP"}"#),
            (FieldType(.timestamp, isList: true), #"{"value":[§]}"#),
            (FieldType(.location), #"{"value":{"latitude":0,"longitude":0,"timestamp":§}}"#),
            (
                FieldType(.asset),
                #"{"value":{"fileChecksum":"AaghtImYDIbhC2aEl+NY3C7bpruW","receipt":"AA==","size":§}}"#
            ),
        ] as [(FieldType?, String)])
    func belowAllIntegers(declared: FieldType?, wrapper: String) throws {
        for number in Self.belowAll {
            #expect(throws: ServerError.self, "\(number)") {
                try decode(wrapper.replacing("§", with: number, maxReplacements: 1), declared)
            }
        }
    }

    @Test("The lowest 64-bit integer is accepted, and a lower number becomes a double")
    func lowestInteger() throws {
        let lowest = FieldValue.one(.int64(.min))
        #expect(try decode(#"{"value":-9223372036854775808}"#, FieldType(.int64)).value == lowest)
        #expect(try decode(#"{"value":"-9223372036854775808"}"#, FieldType(.int64)).value == lowest)
        #expect(try decode(#"{"value":-9223372036854775809}"#, FieldType(.double)).value == .one(.double(-0x1p63)))
        #expect(try decode(#"{"value":-9223372036854775809}"#, FieldType(.number)).value == .one(.double(-0x1p63)))
    }

    @Test(
        "Locations need latitude and longitude in range",
        arguments: [
            (#"{"latitude":90,"longitude":-180}"#, true), (#"{"latitude":90.1,"longitude":0}"#, false),
            (#"{"latitude":0,"longitude":180.5}"#, false), (#"{"latitude":1}"#, false),
            (#"{"longitude":1,"latitude":null}"#, false),
            (#"{"latitude":"37.5","longitude":"-122"}"#, true),
            (#"{"latitude":0,"longitude":0,"altitude":"high"}"#, false),
            (#"{"latitude":0,"longitude":0,"timestamp":1.5}"#, false),
            (#"{"latitude":0,"longitude":0,"timestamp":1422312944104,"speed":0,"other":"x"}"#, true),
        ])
    func locations(value: String, isGood: Bool) {
        if isGood {
            #expect(throws: Never.self) { try decode(#"{"value":\#(value),"type":"LOCATION"}"#, nil) }
        } else {
            #expect(throws: ServerError.self) { try decode(#"{"value":\#(value),"type":"LOCATION"}"#, nil) }
        }
    }

    /// Clients read every member of a location as a number.
    @Test("A location sent as strings is answered in numbers") func stringLocation() throws {
        let value = #"{"value":{"latitude":"37.5","longitude":1,"altitude":"12.5","speed":3}}"#
        let typed = try decode(value, FieldType(.location))
        var writer = JSONWriter()
        writer.object { FieldEncoding.write("f", typed.value, type: typed.type, zone: .notes, to: &$0) }
        #expect(
            try json(String(decoding: writer.bytes, as: UTF8.self))
                == json(
                    #"{"f":{"value":{"latitude":37.5,"longitude":1.0,"altitude":12.5,"speed":3},"type":"LOCATION"}}"#))
    }

    @Test(
        "A reference is read with its action and zone",
        arguments: [
            (#"{"recordName":"x"}"#, RecordReference.Action.none, nil),
            (#"{"recordName":"x","action":"DELETE_SELF"}"#, .deleteSelf, nil),
            (#"{"recordName":"x","action":"VALIDATE","zoneID":{"zoneName":"Notes"}}"#, .validate, nil),
            (#"{"recordName":"x","zoneID":{"zoneName":"Notes","ownerName":"_alice"}}"#, .none, nil),
            (#"{"recordName":"_user","zoneID":{"zoneName":"Other"}}"#, .none, ZoneID(name: "Other", owner: "_alice")),
        ] as [(String, RecordReference.Action, ZoneID?)])
    func references(value: String, action: RecordReference.Action, zone: ZoneID?) throws {
        guard case .one(.reference(let reference)) = try decode(#"{"value":\#(value)}"#, nil).value else {
            Issue.record("no reference")
            return
        }
        #expect(reference.action == action)
        #expect(reference.zone == zone)
    }

    @Test(
        "A malformed reference is refused",
        arguments: [
            #"{"recordName":""}"#, #"{"recordName":1}"#, #"{"recordName":"x","action":"CASCADE"}"#,
            #"{"recordName":"x","action":1}"#, #"{"recordName":"x","zoneID":"Notes"}"#,
            #"{"recordName":"x","action":"DELETE_SELF","zoneID":{"zoneName":"Other"}}"#,
        ])
    func badReferences(value: String) {
        #expect(throws: ServerError.self) { try decode(#"{"value":\#(value),"type":"REFERENCE"}"#, nil) }
    }

    @Test("In the public database a reference to the default zone stores no zone, whichever owner it names")
    func publicZone() throws {
        let value =
            #"{"value":{"recordName":"x","action":"VALIDATE","zoneID":{"zoneName":"_defaultZone","ownerRecordName":"_me"}}}"#
        guard case .one(.reference(let reference)) = try decode(value, nil, zone: .world).value else {
            Issue.record("no reference")
            return
        }
        #expect(reference.zone == nil)
    }
}
