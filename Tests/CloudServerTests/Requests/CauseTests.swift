@testable import CloudHTTP
@testable import CloudWire
@testable import CloudServer
import CloudAccounts
import TestCloud
import CloudModel
import NIOCore
import Testing

/// Every code of the wire, provoked, has a trail that ends in its cause. That no error is without one is the type's to
/// see to: a `ServerError` is not made without a cause.
@Suite(.timeLimit(.minutes(20)))
struct CauseTests {
    @Test("A refused request's trail ends with its cause", arguments: Provocation.all)
    func trailEnd(_ provocation: Provocation) async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            let answer = try await provocation.provoke(app)
            let record = try await server.record(of: answer)
            guard provocation.isOfOperation else {
                #expect(record["serverErrorCode"]?.string == provocation.code.rawValue)
                let last = record.json[path: "trail"]?.array?.last
                #expect(last?[path: "outcome"] == "stopped")
                #expect(last?[path: "step"]?.string == provocation.cause)
                return
            }
            let refused = (record.json[path: "operations"]?.array ?? []).filter {
                $0[path: "serverErrorCode"]?.string == provocation.code.rawValue
            }
            #expect(refused.first?[path: "cause.step"]?.string == provocation.cause, "\(record.text)")
        }
    }

    @Test("The test provokes every error code and every kind of cause")
    func allCodes() {
        #expect(Set(Provocation.all.map(\.code)) == Set(ServerError.Code.allCases))
        #expect(Set(Provocation.all.map(\.cause)) == Set(Cause.kinds))
    }

    @Test("Every refusal on every route has a trail that ends with a cause")
    func everyRoute() async throws {
        try await TestServer.run(configure: { $0.guessing.perAddress = 100_000 }) { server in
            let mei = try await server.signIn("mei@example.com")
            let manager = try await server.managementToken()
            var refused: Set<String> = []
            for (path, methods) in Router.paths {
                let address = Self.address(path)
                for method in methods.sorted(by: { $0.rawValue < $1.rawValue }) {
                    for (body, headers) in Self.attempts(mei, manager) {
                        let target =
                            path.hasPrefix("/database") && !headers.isEmpty ? address + Self.credentials(mei) : address
                        let answer = try await server.send(
                            method, target, headers: headers, body: body.map { ByteBuffer(string: $0) })
                        guard answer.status >= 400 else { continue }
                        refused.insert(path)
                        let record = try await server.record(of: answer)
                        let last = record.json[path: "trail"]?.array?.last
                        #expect(
                            last?[path: "outcome"] == "stopped"
                                && Cause.kinds.contains(last?[path: "step"]?.string ?? ""),
                            "\(method) \(target) \(body ?? "no body"): \(answer.status) \(record.text)")
                    }
                }
            }
            // Pages that are there for everybody refuse nothing.
            #expect(
                refused.count > Router.paths.count * 3 / 4, "\(Set(Router.paths.keys).subtracting(refused).sorted())")
        }
    }

    private static func address(_ pattern: String) -> String {
        pattern.replacing("{container}", with: "iCloud.com.example.test").replacing(
            "{environment}", with: "development"
        )
        .replacing("{database}", with: "private").replacing(#/\{[a-zA-Z]+\}/#, with: "x")
    }

    /// Bodies and headers that nothing is made of.
    private static func attempts(_ app: App, _ manager: String) -> [(body: String?, headers: HTTPFields)] {
        [
            (nil, [:]), ("{", [.authorization: "Bearer \(manager)"]), ("[]", [.authorization: "Bearer \(manager)"]),
            (#"{"no such": 1}"#, [.authorization: "Bearer \(manager)"]),
        ]
    }

    private static func credentials(_ app: App) -> String {
        "?ckAPIToken=\(DevelopmentToken.text)&ckWebAuthToken=\(App.encoded(app.token ?? ""))"
    }

    @Test("Too many concurrent requests are refused with the limit and its setting")
    func throttled() async throws {
        try await TestServer.run {
            $0.inFlight.requestsPerCaller = 0
        } _: { server in
            let answer = try await server.app().get("public/zones/list")
            #expect(answer.code == "THROTTLED")
            let record = try await server.record(of: answer)
            #expect(record["trail.0.text"] == "at most 0 (inFlight.requestsPerCaller)")
        }
    }

    @Test("Refused pages, uploads and polls also have a cause")
    func pagesAndPolls() async throws {
        try await TestServer.run { server in
            for (method, path, cause) in [
                (HTTPRequest.Method.get, "/share/nothing", "share"), (.post, "/uploads/forged", "credentials"),
                (.get, "/aps?tok=unknown", "missing"), (.get, "/events?tok=unknown", "missing"),
                (.post, "/auth/signin", "credentials"), (.put, "/auth/signin", "address"),
                (.get, "/assets/c/development/AbC/f?x=1", "missing"), (.get, "/static/x/y", "missing"),
            ] {
                let answer = try await server.send(method, path)
                #expect(answer.status >= 400, "\(path)")
                let record = try await server.record(of: answer)
                #expect(record.json[path: "trail"]?.array?.last?[path: "step"]?.string == cause, "\(path)")
            }
        }
    }

    @Test("Each fault of a token has its own cause, and the answer is the same")
    func credentials() async throws {
        try await TestServer.run(dev: false) { server in
            for name in ["c", "d"] { _ = try await server.accounts.containers.create(name: name) }
            let token = try await server.accounts.apiTokens.create(
                container: "d", environment: .production, name: "d"
            ).text
            let program = try await server.makeOperator("c")
            var texts: Set<String> = []
            for (text, cause) in [
                ("nothing", "the API token is unknown or revoked"), (token, "the API token is of another container"),
            ] {
                var app = server.app("c", environment: "production")
                app.apiToken = text
                let answer = try await app.get("public/zones/list")
                texts.insert(answer.reason)
                let record = try await server.requests("/\(answer["uuid"]?.string ?? "")", program)
                #expect(record["trail.0.text"]?.string == cause)
            }
            #expect(texts.count == 1)
        }
    }
}
