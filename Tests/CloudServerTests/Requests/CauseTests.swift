import CloudModel
import CloudStore
import NIOCore
import Testing

@testable import CloudServer

/// Every code of the wire, provoked, has a trail that ends in its cause. That no error is without one is the type's to
/// see to: a `ServerError` is not made without a cause.
@Suite(.timeLimit(.minutes(20)))
struct CauseTests {
    /// A way to a refusal, and the cause it must have.
    struct Provocation: Sendable, CustomTestStringConvertible {
        let code: ServerError.Code
        let cause: String
        var isOfOperation = false
        let provoke: @Sendable (App) async throws -> Answer

        var testDescription: String { "\(code.rawValue) by \(cause)" }
    }

    private static let note = Operation.write("create", "a")

    static let provocations: [Provocation] = [
        Provocation(code: .badRequest, cause: "input") { try await $0.post("private/records/modify", "{") },
        Provocation(code: .badRequest, cause: "limit") {
            try await $0.post(
                "private/records/lookup",
                #"{"records": [\#(Array(repeating: "{}", count: 500).joined(separator: ","))]}"#)
        },
        Provocation(code: .badRequest, cause: "place") { try await $0.post("public/records/changes", "{}") },
        Provocation(code: .badRequest, cause: "position") {
            try await $0.makeZone("z")
            return try await $0.changes("z", since: "AAAA")
        },
        Provocation(code: .badRequest, cause: "schema", isOfOperation: true) {
            try await $0.save("typed", fields: #""n": {"value": 1}"#)
            return try await $0.modify([Operation.write("forceUpdate", "typed", fields: #""n": {"value": "text"}"#)])
        },
        Provocation(code: .notFound, cause: "schema") {
            try await $0.post("private/records/query", #"{"query": {"recordType": "No"}}"#)
        },
        Provocation(code: .notFound, cause: "missing", isOfOperation: true) { try await $0.lookup("no") },
        Provocation(code: .notFound, cause: "share", isOfOperation: true) {
            try await $0.post("public/records/resolve", #"{"shortGUIDs": ["0nothing"]}"#)
        },
        Provocation(code: .notFound, cause: "address") { try await $0.server.send(.get, "/database/1/nowhere") },
        Provocation(code: .zoneNotFound, cause: "missing") { try await $0.lookup(zone: "no", "a") },
        Provocation(code: .conflict, cause: "conflict", isOfOperation: true) {
            try await $0.save("a")
            return try await $0.modify([note])
        },
        Provocation(code: .conflict, cause: "position") {
            try await $0.server.send(
                .post, $0.target("x").replacing(#/^.*\?/#, with: "/keyvalue/1/\($0.container)/development/modify?"),
                body: ByteBuffer(string: #"{"changeToken": "AAAA"}"#))
        },
        Provocation(code: .atomicError, cause: "atomic", isOfOperation: true) {
            try await $0.makeZone("batch")
            try await $0.save(zone: "batch", "b")
            return try await $0.modify(zone: "batch", [Operation.write("create", "b"), note])
        },
        Provocation(code: .validatingReferenceError, cause: "reference", isOfOperation: true) {
            try await $0.makeZone("refs")
            let reference = #""to": {"value": {"recordName": "no", "action": "VALIDATE"}}"#
            return try await $0.modify(zone: "refs", [Operation.write("create", "r", fields: reference)])
        },
        Provocation(code: .accessDenied, cause: "permission", isOfOperation: true) {
            let other = try await $0.server.signIn("other@example.com")
            try await other.save(in: "public", "theirs")
            return try await $0.modify(in: "public", [Operation.write("forceUpdate", "theirs")])
        },
        Provocation(code: .authenticationFailed, cause: "credentials") {
            var app = $0
            app.apiToken = "unknown"
            return try await app.get("private/zones/list")
        },
        Provocation(code: .authenticationRequired, cause: "credentials") {
            var app = $0
            app.token = nil
            return try await app.get("private/zones/list")
        },
        Provocation(code: .quotaExceeded, cause: "limit") {
            try await $0.post("private/records/modify", String(repeating: " ", count: 17 << 20))
        },
        Provocation(code: .badRequest, cause: "index") {
            let program = try await $0.server.makeOperator()
            let types = #"RECORD TYPE Note ( "___recordID" REFERENCE QUERYABLE, title STRING );"#
            #expect(try await program.importing(types).status == 200)
            #expect(try await program.send(.post, "schema/deploy", in: "production").status == 200)
            var app = try await $0.server.signIn("mei@example.com", environment: "production")
            app.apiToken = try await $0.server.accounts.apiTokens.create(
                container: app.container, environment: .production, name: "app"
            ).text
            let filter = #"{"fieldName": "title", "comparator": "EQUALS", "fieldValue": {"value": "a"}}"#
            return try await app.post(
                "private/records/query", #"{"query": {"recordType": "Note", "filterBy": [\#(filter)]}}"#)
        },
        Provocation(code: .exists, cause: "taken") {
            let token = try await $0.server.managementToken()
            return try await $0.server.manage(
                .post, "containers", token: token, body: #"{"name": "iCloud.com.example.test"}"#)
        },
        Provocation(code: .throttled, cause: "server") { try await injected("THROTTLED", $0) },
        Provocation(code: .tryAgainLater, cause: "server") { try await injected("TRY_AGAIN_LATER", $0) },
        Provocation(code: .internalError, cause: "server") { try await injected("INTERNAL_ERROR", $0) },
    ]

    /// A fault of the server's own, which nobody can be made to have.
    private static func injected(_ code: String, _ app: App) async throws -> Answer {
        let name = try #require(HTTPField.Name("X-Cumulus-Fault"))
        return try await app.post("private/records/lookup", "{}", headers: [name: #"{"error": "\#(code)"}"#])
    }

    @Test("A refused request's trail ends with its cause", arguments: provocations)
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
        #expect(Set(Self.provocations.map(\.code)) == Set(ServerError.Code.allCases))
        #expect(Set(Self.provocations.map(\.cause)) == Set(Cause.kinds))
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
