import CloudModel
import CloudServer
import CloudStore
import HTTPTypes
import NIOCore
import Testing

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
    ]

    @Test("A refused request's trail ends in its cause", arguments: provocations)
    func trailEndsInItsCause(_ provocation: Provocation) async throws {
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

    @Test("Every code is provoked here, but for those of load, faults and names that are taken")
    func allCodes() {
        let provoked = Set(Self.provocations.map(\.code))
        #expect(
            Set(ServerError.Code.allCases).subtracting(provoked) == [
                .throttled, .tryAgainLater, .internalError, .exists,
            ])
    }

    @Test("Too many requests at once are a limit, with its setting")
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

    @Test("Pages, uploads and polls that are refused have a cause too")
    func others() async throws {
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

    @Test("Every fault of a web auth token and of an API token is told apart, and the answer is the same")
    func credentials() async throws {
        try await TestServer.run(dev: false) { server in
            for name in ["c", "d"] { _ = try await server.accounts.createContainer(name: name) }
            let token = try await server.accounts.createAPIToken(
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
