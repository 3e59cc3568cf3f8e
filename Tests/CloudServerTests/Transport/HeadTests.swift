@testable import CloudHTTP
@testable import CloudServer
import CloudWire
import TestCloud
import CloudModel
import NIOCore
import TestWire
import Testing

/// HEAD, which every path takes that takes GET (RFC 9110 section 9.1).
@Suite(.timeLimit(.minutes(10)))
struct HeadTests {
    private static let patterns = RouteRow.all.filter { $0.methods.contains(.get) }.map(\.pattern)

    /// A target of a path, with whatever credentials it takes.
    private static func target(_ pattern: String, _ app: App) -> String {
        let path = pattern.replacing("{container}", with: app.container).replacing("{environment}", with: "development")
            .replacing("{database}", with: "private").replacing("{email}", with: "mei@example.com")
            .replacing(#/\{[A-Za-z]+\}/#, with: "x")
        let takesCredentials = ["/database/", "/keyvalue/", "/share/1/"].contains { path.hasPrefix($0) }
        return takesCredentials ? path + app.target("").drop { $0 != "?" } : path
    }

    @Test("HEAD is answered on every path that takes GET, with the same status and type and no body")
    func everyPath() async throws {
        #expect(Self.patterns.count > 60 && Self.patterns.contains("/ready"))
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let headers: HTTPFields = [.authorization: "Bearer \(try await server.managementToken())"]
            var answered = 0
            for pattern in Self.patterns {
                let target = Self.target(pattern, mei)
                let head = try await server.client.execute(uri: target, method: .head, headers: headers, body: nil)
                let get = try await server.client.execute(uri: target, method: .get, headers: headers, body: nil)
                #expect(head.status == get.status, "\(pattern)")
                #expect(head.headers[.contentType] == get.headers[.contentType], "\(pattern)")
                #expect(head.body.readableBytes == 0, "\(pattern)")
                if head.status == .ok { answered += 1 }
            }
            #expect(answered > 30, "\(answered)")
        }
    }

    @Test("A HEAD answer has no body on the wire, and the next request is answered", arguments: ["/health", "/ready"])
    func onTheWire(path: String) async throws {
        try await TestServer.live { _, port in
            let wire = try Wire(port: port)
            try await wire.send("HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\nGET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            let head = try await wire.readHead()
            #expect(head.hasPrefix("HTTP/1.1 200"), "\(head)")
            #expect(
                head.lowercased().contains("content-length: ") && !head.lowercased().contains("content-length: 0\r"))
            #expect(try await wire.readAnswer().body.contains(#""status":"ok""#))
        }
    }

    @Test("HEAD of courier and stream checks the token, and takes no message")
    func listening() async throws {
        try await TestServer.run(configure: { $0.push.courierHold = .seconds(0.05) }) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.watchNotes()
            let ear = try await mei.ear()
            try await mei.save("a")
            for path in ["/aps", "/events"] {
                let target = "\(path)?tok=\(ear.token)"
                let head = try await server.send(.head, target)
                #expect(head.status == 200 && head.text.isEmpty)
                #expect(try await server.send(.head, "\(path)?tok=unknown").status == 404)
            }
            #expect(try await ear.news() == "notes a")
        }
    }

    @Test("HEAD changes nothing on paths whose other methods do")
    func changesNothing() async throws {
        try await TestServer.run { server in
            for path in ["lint", "faults", "clock"] {
                let head = try await server.send(.head, "/emulator/1/\(path)")
                #expect(head.status == 200)
            }
            let lint = try await server.send(.get, "/emulator/1/lint")
            let faults = try await server.send(.get, "/emulator/1/faults")
            let clock = try await server.send(.get, "/emulator/1/clock")
            #expect(lint["isOn"]?.bool == false && faults["faults"]?.array?.isEmpty == true)
            #expect(clock["isFrozen"]?.bool == false)
        }
    }

    @Test("A path without GET refuses HEAD", arguments: ["/database/1/c/development/public/records/query"])
    func noGet(path: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.client.execute(uri: path, method: .head, headers: [:], body: nil)
            #expect(answer.status == .methodNotAllowed && answer.headers[.allow] == "POST")
        }
    }
}
