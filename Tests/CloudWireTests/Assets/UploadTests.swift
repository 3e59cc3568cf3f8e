@testable import CloudHTTP
import CloudServer
import TestCloud
import CloudModel
import NIOCore
import Testing

/// assets/upload, the upload itself, and the record that holds it (reference B §8.1–§8.3).
@Suite(.everyAssetKeeping)
struct UploadTests {
    @Test("An uploaded file is saved with a record and downloaded byte for byte") func transfer() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let value = try await mei.upload(Array("hello".utf8))
            let saved = try await mei.modify([Operation.write("create", "n1", fields: #""file": {"value": \#(value)}"#)]
            )
            #expect(saved["records.0.fields.file.type"] == "ASSETID")
            #expect(saved["records.0.fields.file.value.size"] == 5)
            for answer in [
                saved, try await mei.lookup("n1"),
                try await mei.post("private/records/query", #"{"query": {"recordType": "Note"}}"#),
                try await mei.post(
                    "private/records/lookup", #"{"records": {"recordName": "n1"}, "desiredKeys": ["file"]}"#),
            ] {
                #expect(answer["records.0.fields.file.value.receipt"] == nil)
                let url = try #require(answer["records.0.fields.file.value.downloadURL"]?.string)
                #expect(url.contains("/${f}?e="))
                #expect(try await server.download(server.path(of: url)).bytes == Array("hello".utf8))
            }
        }
    }

    @Test("A change feed has download URLs of assets") func changeFeed() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            let value = try await mei.upload(Array("hello".utf8), zone: "Z")
            try await mei.save(zone: "Z", "n1", fields: #""file": {"value": \#(value)}"#)
            let answer = try await mei.changes("Z")
            let url = try #require(answer["records.0.fields.file.value.downloadURL"]?.string)
            #expect(try await server.download(server.path(of: url)).status == 200)
        }
    }

    @Test("A list of assets gets a URL for each element and keeps its order")
    func assetLists() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let links = try await mei.uploadLinks(["photos", "photos", "photos"])
            #expect(Set(links).count == 3)
            var values: [String] = []
            for (index, link) in links.enumerated() {
                let answer = try await server.send(
                    .post, server.path(of: link), body: ByteBuffer(string: "photo \(index)"))
                var writer = JSONWriter()
                writer.value(try #require(answer["singleFile"]))
                values.append(String(decoding: writer.bytes, as: UTF8.self))
            }
            try await mei.save("n1", fields: #""photos": {"value": [\#(values.joined(separator: ", "))]}"#)
            let record = try await mei.lookup("n1")
            #expect(record["records.0.fields.photos.type"] == "ASSETID_LIST")
            for index in 0..<3 {
                let url = try #require(record["records.0.fields.photos.value.\(index).downloadURL"]?.string)
                #expect(try await server.download(server.path(of: url)).bytes == Array("photo \(index)".utf8))
            }
        }
    }

    @Test(
        "An upload is accepted raw or as a multipart form",
        arguments: [
            ("text/plain;charset=utf-8", ""), ("image/png", ""),
            ("multipart/form-data; boundary=----WebKitFormBoundaryA1", "----WebKitFormBoundaryA1"),
            (#"multipart/form-data; charset=utf-8; boundary="a-b c""#, "a-b c"),
        ])
    func bodyForms(type: String, boundary: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for contents in [
                [], Array("\r\n--\(boundary)x\r\n--".utf8), (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) },
            ] {
                var body = contents
                if !boundary.isEmpty {
                    let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a\"\r\n\r\n"
                    body = Array(head.utf8) + contents + Array("\r\n--\(boundary)--\r\n".utf8)
                }
                let value = try await mei.upload(body, headers: [.contentType: type])
                #expect(value.contains(#""size":\#(contents.count),"#))
                let saved = try await mei.modify([
                    Operation.write("forceReplace", "n1", fields: #""file": {"value": \#(value)}"#)
                ])
                let url = try #require(saved["records.0.fields.file.value.downloadURL"]?.string)
                #expect(try await server.download(server.path(of: url)).bytes == contents)
            }
        }
    }

    @Test(
        "An upload form without exactly one complete part is refused",
        arguments: [
            "", "--x", "nonsense", "--x\r\nA: b\r\n\r\ncontents",
            "--x\r\nA: b\r\n\r\ncontents\r\n--x\r\nA: b\r\n\r\nmore\r\n--x--",
            "--y\r\nA: b\r\n\r\ncontents\r\n--y--", "--x\r\n" + String(repeating: "A: b\r\n", count: 10_000),
        ])
    func wrongForms(body: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let link = try await mei.uploadLinks()[0]
            let answer = try await server.client.execute(
                uri: server.path(of: link), method: .post,
                headers: [.contentType: "multipart/form-data; boundary=x"], body: ByteBuffer(string: body))
            #expect(answer.status == 400)
            #expect(Answer(answer).code == "BAD_REQUEST" && !Answer(answer).reason.isEmpty)
        }
    }

    @Test("A refused upload is answered with its reason in a form that no client takes for a receipt")
    func refusals() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let link = server.path(of: try await mei.uploadLinks()[0])
            _ = try await server.send(.post, link, body: ByteBuffer(string: "a"))
            let forged = String(link.dropLast()) + (link.hasSuffix("A") ? "B" : "A")
            for (path, method, status) in [
                (link, HTTPRequest.Method.post, 409), (forged, .post, 403), ("/uploads/nonsense", .post, 403),
                (link, .get, 405), (link, .put, 405),
            ] {
                let answer = try await server.client.execute(
                    uri: path, method: method, headers: [.origin: "https://a.example"], body: ByteBuffer(string: "b"))
                #expect(answer.status.code == status)
                #expect(Self.isRefusal(Answer(answer)), "\(String(buffer: answer.body))")
                #expect(answer.headers[.accessControl.allowOrigin] == "https://a.example")
            }
        }
    }

    private static func isRefusal(_ answer: Answer) -> Bool {
        let file = answer["singleFile"]
        return answer.code != nil && !answer.reason.isEmpty && answer["uuid"]?.string != nil
            && file?[path: "reason"]?.string == answer.reason && file?.keys == ["serverErrorCode", "reason"]
    }

    /// CloudKit JS looks at no status, and saves the `singleFile` of whatever it gets.
    @Test(
        "A record saved with a refused upload's answer is refused with the upload's reason", arguments: ["new", "file"])
    func savedRefusal(field: String) async throws {
        try await TestServer.run(configure: { $0.limits.assets.bytes = 10 }) { server in
            let mei = try await server.signIn("mei@example.com")
            _ = try await mei.saveFile([1])
            let refused = try await server.send(
                .post, server.path(of: try await mei.uploadLinks()[0]), body: ByteBuffer(repeating: 1, count: 11))
            #expect(refused.status == 413 && refused.code == "QUOTA_EXCEEDED")
            var writer = JSONWriter()
            writer.value(try #require(refused["singleFile"]))
            let value = String(decoding: writer.bytes, as: UTF8.self)
            let saved = try await mei.modify([
                Operation.write("forceUpdate", "n1", fields: #""\#(field)": {"value": \#(value)}"#)
            ])
            #expect(saved["records.0.serverErrorCode"] == "BAD_REQUEST")
            #expect(
                saved["records.0.reason"]?.string?.contains("an asset has at most 10 bytes") == true, "\(saved.text)")
        }
    }

    @Test("An upload over the limit is answered 413, with or without an announced length")
    func tooLarge() async throws {
        try await TestServer.run(configure: { $0.limits.assets.bytes = 1000 }) { server in
            let mei = try await server.signIn("mei@example.com")
            for (size, status) in [(1000, 200), (1001, 413), (100_000, 413)] {
                let link = server.path(of: try await mei.uploadLinks()[0])
                let answer = try await server.client.execute(
                    uri: link, method: .post, headers: [:], body: ByteBuffer(repeating: 1, count: size))
                #expect(answer.status.code == status)
                #expect(Self.isRefusal(Answer(answer)) == (status == 413))
            }
        }
    }

    @Test("A CORS preflight for an upload is allowed for every origin") func preflight() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let link = server.path(of: try await mei.uploadLinks()[0])
            let answer = try await server.client.execute(
                uri: link, method: .options,
                headers: [
                    .origin: "https://a.example", .accessControl.requestMethod: "POST",
                    .accessControl.requestHeaders: "content-type",
                ], body: nil)
            #expect(answer.status == .ok)
            #expect(answer.headers[.accessControl.allowOrigin] == "https://a.example")
            #expect(answer.headers[.accessControl.allowHeaders] == "content-type")
        }
    }

    @Test("A receipt is refused from another user, database or container") func otherReceipts() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let tom = try await server.signIn("tom@example.com")
            let elsewhere = try await server.signIn("mei@example.com", "iCloud.com.example.other")
            let value = try await mei.upload(Array("hello".utf8))
            let operation = Operation.write("create", "n1", fields: #""file": {"value": \#(value)}"#)
            for (app, database) in [(tom, "private"), (mei, "public"), (tom, "public"), (elsewhere, "private")] {
                let answer = try await app.modify(in: database, [operation])
                #expect(answer["records.0.serverErrorCode"] == "BAD_REQUEST")
            }
            #expect(try await mei.modify([operation])["records.0.recordName"] == "n1")
        }
    }

    @Test("A caller without permission to write cannot upload") func anonymousUpload() async throws {
        try await TestServer.run { server in
            let body = #"{"tokens": [{"recordType": "Note", "fieldName": "file"}]}"#
            let stranger = try await server.app().post("public/assets/upload", body)
            #expect(stranger.status == 421)
            let nobody = try await server.app().post("private/assets/upload", body)
            #expect(nobody.status == 421)
        }
    }

    @Test(
        "A malformed assets/upload is refused",
        arguments: [
            "{}", #"{"tokens": 5}"#, #"{"tokens": [5]}"#, #"{"tokens": [{"fieldName": "a"}]}"#,
            #"{"tokens": [{"recordType": "Note", "fieldName": "a b"}]}"#,
            #"{"tokens": [{"recordType": "../..", "fieldName": "a"}]}"#,
            #"{"tokens": [{"recordType": "Note", "fieldName": "a", "recordName": 5}]}"#,
        ])
    func badRequests(body: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            #expect(try await mei.post("private/assets/upload", body).code == "BAD_REQUEST")
        }
    }

    @Test("Upload URLs need an existing zone and at most 200 tokens") func zonesAndTokens() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let token = #"{"recordType": "Note", "fieldName": "a", "recordName": "mine"}"#
            let gone = try await mei.post(
                "private/assets/upload", #"{"tokens": [\#(token)], "zoneID": {"zoneName": "Gone"}}"#)
            #expect(gone.code == "ZONE_NOT_FOUND")
            let one = try await mei.post("private/assets/upload", #"{"tokens": \#(token)}"#)
            #expect(one["tokens.0.recordName"] == "mine")
            let many = try await mei.post(
                "private/assets/upload",
                #"{"tokens": [\#(repeatElement(token, count: 201).joined(separator: ","))]}"#)
            #expect(many.code == "BAD_REQUEST" && many.reason.contains("200"))
        }
    }

    @Test("A query by an asset field is refused") func assetQuery() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            _ = try await mei.saveFile(Array("hello".utf8))
            for query in [
                #""filterBy": {"fieldName": "file", "comparator": "EQUALS", "fieldValue": {"value": "a"}}"#,
                #""sortBy": {"fieldName": "file"}"#,
            ] {
                let answer = try await mei.post(
                    "private/records/query", #"{"query": {"recordType": "Note", \#(query)}}"#)
                #expect(answer.code == "BAD_REQUEST" && answer.reason.contains("ASSETID"))
            }
        }
    }
}
