import CloudAccounts
import CloudHTTP
import CloudModel
import CloudServer
import Foundation
import NIOCore
import TestCloud
import Testing

@testable import CloudWire

/// Providers of sign-in over the admin API.
@Suite(.timeLimit(.minutes(10)))
struct ProviderOperationTests {
    private struct Caller: Sendable {
        let server: TestServer
        let token: String

        init(_ server: TestServer, scopes: Set<ManagementScope> = Set(ManagementScope.allCases)) async throws {
            self.server = server
            token = try await server.accounts.managementTokens.create(container: nil, name: "ci", scopes: scopes).text
        }

        func send(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> Answer {
            try await server.send(
                method, "/admin/1/\(path)", headers: [.authorization: "Bearer \(token)"],
                body: body.map { ByteBuffer(string: $0) })
        }
    }

    private static let work = """
        {"name": "work", "kind": "oidc", "clientID": "c", "secret": "correct horse", "issuer": "https://id.example.com"
        """

    @Test("A provider is added, listed, changed and removed, and its secret is in no answer and no audit line")
    func lifetime() async throws {
        try await TestServer.run { server in
            let caller = try await Caller(server)
            var answers = [try await caller.send(.post, "providers", Self.work + "}")]
            #expect(answers[0]["redirectPath"]?.string == "/auth/with/work")
            #expect(answers[0]["hasSecret"] == .bool(true) && answers[0]["admission"]?.string == "everybody")
            let change = #"{"admission": "domains", "admitted": ["Example.com"], "startsAtOnce": true}"#
            answers.append(try await caller.send(.put, "providers/work", change))
            #expect(answers[1]["admitted.0"]?.string == "example.com")
            #expect(answers[1]["issuer"]?.string == "https://id.example.com")
            answers.append(try await caller.send(.get, "providers"))
            #expect(answers[2]["items.0.startsAtOnce"] == .bool(true))
            let moved = #"{"issuer": "https://new.example"}"#
            answers.append(try await caller.send(.put, "providers/work", moved))
            #expect(answers[3].status == 400 && answers[3].reason.contains("secret"))
            answers.append(
                try await caller.send(
                    .put, "providers/work", #"{"issuer": "https://new.example", "secret": "horse two"}"#))
            answers.append(try await caller.send(.delete, "providers/work"))
            #expect(answers.map(\.status) == [200, 200, 200, 400, 200, 200])
            let lines = try await server.accounts.audit.entries(limit: 10)
            #expect(
                Set(lines.map(\.action)) == [
                    "added a provider of sign-in", "changed a provider of sign-in", "removed a provider of sign-in",
                ])
            #expect(lines.contains { $0.subject == "work https://new.example" })
            #expect(!answers.contains { $0.text.contains("horse") } && !"\(lines)".contains("horse"))
            #expect(try await caller.send(.delete, "providers/work").status == 404)
        }
    }

    @Test(
        "A wrong field is refused with its name",
        arguments: [
            (#"{"name": "a b"}"#, "name"), (#"{"kind": "facebook"}"#, "kind"), (#"{"clientID": ""}"#, "clientID"),
            (#"{"secret": ""}"#, "secret"), (#"{"issuer": "http://id.example.com"}"#, "issuer"),
            (#"{"admission": "some"}"#, "admission"), (#"{"admission": "domains"}"#, "admitted"),
            (#"{"scopes": ["email"]}"#, "scopes"), (#"{"tenants": ["a"]}"#, "tenants"), (#"{"team": "a"}"#, "team"),
            (#"{"allowsHTTP": 1}"#, "allowsHTTP"), (#"{"clientAuthentication": "none"}"#, "clientAuthentication"),
            (#"{"other": 1}"#, "other"),
        ])
    func refusals(change: String, field: String) async throws {
        try await TestServer.run { server in
            let caller = try await Caller(server)
            var body = try #require(try JSONParser.parse(Array((Self.work + "}").utf8)).object)
            for member in try #require(try JSONParser.parse(Array(change.utf8)).object).members {
                body.set(member.key, member.value)
            }
            var writer = JSONWriter()
            writer.value(.object(body))
            let answer = try await caller.send(.post, "providers", String(decoding: writer.bytes, as: UTF8.self))
            #expect(answer.status == 400 && answer.reason.contains(field), "\(answer.text)")
            #expect(try await server.accounts.providers.all().isEmpty)
        }
    }

    @Test("A test of a provider says what is right and what is wrong") func test() async throws {
        let stub = ProviderBench.Stub()
        try await Receiver.run({ delivery, _ in await stub.reply(delivery) }) { receiver in
            let origin = receiver.url("")
            stub.set("/.well-known/openid-configuration", ProviderBench.document(origin))
            stub.set("/keys", #"{"keys": []}"#)
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = .gmt
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            let date: HTTPFields = [.date: formatter.string(from: Date())]
            stub.set("/token", #"{"error": "invalid_client"}"#, status: .unauthorized, headers: date)
            let back = "https://cloud.example.com/auth/with/work"
            stub.set(
                "/authorize", "", status: .seeOther, headers: [.location: back + "?error=login_required&state=s"])
            try await TestServer.run(configure: { $0.publicURL = "https://cloud.example.com" }) { server in
                let caller = try await Caller(server)
                let body = Self.work.replacing("https://id.example.com", with: origin) + #", "allowsHTTP": true}"#
                #expect(try await caller.send(.post, "providers", body).status == 200)
                var answer = try await caller.send(.post, "providers/work/test", "{}")
                #expect(answer.status == 200 && answer.text.contains(back), "\(answer.text)")
                #expect(
                    outcomes(answer) == [
                        "redirect address good", "discovery good", "keys wrong", "client authentication wrong",
                        "clock good", "authorization good",
                    ])
                #expect(!answer.text.contains("horse"))
                stub.set("/token", #"{"error": "invalid_grant"}"#, status: .badRequest)
                stub.set("/authorize", "", status: .badRequest)
                answer = try await caller.send(.post, "providers/work/test", "{}")
                #expect(outcomes(answer).contains("client authentication good"), "\(answer.text)")
                #expect(outcomes(answer).contains("authorization wrong"), "\(answer.text)")
            }
        }
    }

    @Test("Without publicUrl a test says so") func noPublicURL() async throws {
        try await TestServer.run { server in
            let caller = try await Caller(server)
            let body = Self.work.replacing("https://id.example.com", with: "http://127.0.0.1:1")
            _ = try await caller.send(.post, "providers", body + #", "allowsHTTP": true}"#)
            let answer = try await caller.send(.post, "providers/work/test", "{}")
            #expect(outcomes(answer) == ["redirect address wrong", "discovery wrong"])
            #expect(answer.text.contains("publicUrl"))
        }
    }

    private func outcomes(_ answer: Answer) -> [String] {
        (answer["steps"]?.array ?? []).map {
            "\($0[path: "name"]?.string ?? "") \($0[path: "outcome"]?.string ?? "")"
        }
    }

    @Test("Dates of HTTP are read", arguments: [("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("yesterday", nil)])
    func dates(text: String, seconds: Double?) {
        #expect(ProviderExamination.date(text)?.timeIntervalSince1970 == seconds)
    }
}
