import TestCloud
import CloudModel
import Testing

/// assets/rereference (reference B §8.5).
@Suite(.everyAssetKeeping)
struct RereferenceTests {
    private func text(_ value: JSONValue?) throws -> String {
        var writer = JSONWriter()
        writer.value(try #require(value))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("assets/rereference gives an asset of one record to another") func otherRecord() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            _ = try await mei.saveFile(Array("hello".utf8))
            let answer = try await mei.post(
                "private/assets/rereference",
                #"""
                {"assets": [{"recordName": "none", "fieldName": "file"}, {"recordName": "n1", "fieldName": "file"},
                {"recordName": "n1", "fieldName": "other"}], "targetZoneID": {"zoneName": "Z"}}
                """#)
            #expect(answer["assets.0.serverErrorCode"] == "NOT_FOUND" && answer["assets.0.recordName"] == "none")
            #expect(answer["assets.2.serverErrorCode"] == "NOT_FOUND" && answer["assets.2.recordName"] == "n1")
            let value = try text(answer["assets.1"])
            try await mei.save(zone: "Z", "copy", fields: #""picture": {"value": \#(value), "type": "ASSETID"}"#)
            let record = try await mei.lookup(zone: "Z", "copy")
            let url = try #require(record["records.0.fields.picture.value.downloadURL"]?.string)
            #expect(try await server.download(server.path(of: url)).bytes == Array("hello".utf8))
        }
    }

    @Test("assets/rereference refuses an asset of a record that the caller cannot read")
    func unreadableRecord() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let tom = try await server.signIn("tom@example.com")
            _ = try await mei.saveFile(Array("hello".utf8))
            let body = #"{"assets": [{"recordName": "n1", "fieldName": "file"}]}"#
            #expect(try await tom.post("private/assets/rereference", body)["assets.0.serverErrorCode"] == "NOT_FOUND")
            let foreign =
                #"{"assets": [{"recordName": "n1", "fieldName": "file"}], "zoneID": {"zoneName": "_defaultZone", "ownerRecordName": "\#(mei.user)"}}"#
            #expect(try await tom.post("private/assets/rereference", foreign).status == 400)
            #expect(try await server.app().post("public/assets/rereference", body).status == 421)
        }
    }
}
