import CloudAccounts
import CloudHTTP
package import CloudModel
import NIOCore
import Testing

/// A way to a refusal, and the cause it must have.
package struct Provocation: Sendable, CustomTestStringConvertible {
    package let code: ServerError.Code
    package let cause: String
    package var isOfOperation = false
    package let provoke: @Sendable (App) async throws -> Answer

    package var testDescription: String { "\(code.rawValue) by \(cause)" }
}

extension Provocation {
    private static let note = Operation.write("create", "a")

    package static let all: [Provocation] = [
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
}
