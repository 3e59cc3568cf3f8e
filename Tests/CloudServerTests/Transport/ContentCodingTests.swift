@testable import CloudWire
@testable import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import NIOCore
import Testing

/// Bodies with a `Content-Encoding` (RFC 9110 section 15.5.16).
@Suite(.timeLimit(.minutes(10)))
struct ContentCodingTests {
    @Test("Every path that takes a body answers an encoded body 415 with the coding")
    func everyPath() async throws {
        try await TestServer.run { server in
            var count = 0
            for row in RouteRow.all {
                let path = row.pattern.replacing("{environment}", with: "development")
                    .replacing("{database}", with: "private").replacing(#/\{[A-Za-z]+\}/#, with: "x")
                for method in row.methods where ![.get, .head].contains(method) {
                    let answer = try await server.client.execute(
                        uri: path, method: method, headers: [.contentEncoding: "gzip"],
                        body: ByteBuffer(bytes: [0x1F, 0x8B, 8, 0]))
                    #expect(answer.status == .unsupportedMediaType, "\(method) \(path)")
                    #expect(answer.headers[.acceptEncoding] == "identity", "\(method) \(path)")
                    if row.kind != .page {
                        #expect(Answer(answer).reason.contains("'gzip'"), "\(method) \(path)")
                        #expect(Answer(answer).code == "BAD_REQUEST", "\(method) \(path)")
                    }
                    count += 1
                }
            }
            #expect(count > 60, "\(count)")
        }
    }

    @Test(
        "A body with the identity coding is accepted, in every form of the header",
        arguments: ["identity", "Identity, identity", ""])
    func identity(coding: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.post(
                "private/records/lookup", #"{"records": []}"#, headers: [.contentEncoding: coding])
            #expect(answer.status == 200)
        }
    }

    @Test(
        "Other codings are refused, alone and in a list",
        arguments: ["br", "identity, gzip", "GZIP", "deflate;q=1", "aws-chunked"])
    func codings(coding: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.post(
                "private/records/lookup", #"{"records": []}"#, headers: [.contentEncoding: coding])
            #expect(answer.status == 415 && answer.reason.contains("Content-Encoding '\(coding)'"), "\(answer.text)")
            let link = server.path(of: try await mei.uploadLinks()[0])
            #expect(try await server.send(.post, link, headers: [.contentEncoding: coding]).status == 415)
            #expect(try await server.send(.post, link, body: ByteBuffer(string: "a")).status == 200)
        }
    }

    @Test("A GET without a body is answered, whatever coding header a proxy leaves on it")
    func noBody() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.get, "/health", headers: [.contentEncoding: "gzip"])
            #expect(answer.status == 200)
        }
    }
}
