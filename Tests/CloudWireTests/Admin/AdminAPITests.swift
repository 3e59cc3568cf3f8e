@testable import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import NIOCore
import Testing

/// Operations over HTTP, and their lines in the audit log.
@Suite(.timeLimit(.minutes(20)))
struct AdminAPITests {
    private static let container = "iCloud.com.example.test"
    private static let place = "iCloud.com.example.test/development"

    @Test("An operator lists, shows and changes the records of any user") func records() async throws {
        try await TestServer.run { server in
            let token = try await server.managementToken()
            let mei = try await server.signIn("mei@example.com")
            let user = mei.user
            let saved = try await server.manage(
                .post, "\(Self.place)/records/modify", token: token,
                body: """
                    {"user":"mei@example.com","operations":[
                    {"operationType":"create","record":{"recordType":"Note","recordName":"n1","fields":{"title":{"value":"one"}}}},
                    {"operationType":"create","record":{"recordType":"Note","recordName":"n2",
                    "fields":{"of":{"value":{"recordName":"n1","action":"DELETE_SELF"}}}}}]}
                    """)
            #expect(saved.recordNames == ["n1", "n2"], "\(saved.text)")
            let first = try await server.manage(
                .get, "\(Self.place)/records?user=\(user)&type=Note&limit=1", token: token)
            #expect(first.recordNames == ["n1"])
            let next = try #require(
                first["next"]?.string?.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let second = try await server.manage(
                .get, "\(Self.place)/records?user=\(user)&type=Note&limit=1&after=\(next)", token: token)
            #expect(second.recordNames == ["n2"] && second["next"] == nil)
            let shown = try await server.manage(
                .get, "\(Self.place)/record?user=\(user)&recordName=n1", token: token)
            #expect(shown["record.fields.title.value"]?.string == "one")
            #expect(shown["referrers.0.recordName"]?.string == "n2")
            #expect(shown["referrers.0.kind"]?.string == "DELETE_SELF")
            let types = try await server.manage(.get, "\(Self.place)/types?user=\(user)", token: token)
            #expect(types["items.0.recordType"]?.string == "Note" && types["items.0.count"]?.integer == 2)
            let owners = try await server.manage(.get, "\(Self.place)/owners", token: token)
            #expect(owners["items.0.email"]?.string == "mei@example.com")
        }
    }

    @Test("Grants do not bind an operator in the public database") func grants() async throws {
        try await TestServer.run { server in
            let token = try await server.managementToken()
            let closed = """
                DEFINE SCHEMA RECORD TYPE Secret ( title STRING, GRANT READ TO "_creator" );
                """
            let program = Operator(server: server, token: token)
            #expect(try await program.send(.put, "schema", body: closed).status == 200)
            let saved = try await server.manage(
                .post, "\(Self.place)/records/modify", token: token,
                body:
                    #"{"operations":[{"operationType":"create","record":{"recordType":"Secret","recordName":"s","fields":{"title":{"value":"x"}}}}]}"#
            )
            #expect(saved["records.0.created.userRecordName"]?.string == "_operator", "\(saved.text)")
            let listed = try await server.manage(.get, "\(Self.place)/records?type=Secret", token: token)
            #expect(listed.recordNames == ["s"])
            let stranger = try await server.signIn("omar@example.com")
            let asked = try await stranger.lookup(in: "public", "s")
            #expect(asked["records.0.serverErrorCode"]?.string == "ACCESS_DENIED")
        }
    }

    @Test("Every change and every view of private data adds a line to the audit log")
    func auditLines() async throws {
        try await TestServer.run { server in
            let token = try await server.managementToken()
            let user = try await server.signIn("mei@example.com").user
            for (method, path, body) in [
                (HTTPRequest.Method.get, "\(Self.place)/zones?user=\(user)", nil),
                (.get, "\(Self.place)/zones", nil), (.get, "users", nil),
                (.post, "users", #"{"email":"new@example.com"}"#),
                (.put, "users/new@example.com/password", #"{"password":"a long enough one"}"#),
                (.get, "\(Self.place)/record?user=\(user)&recordName=none", nil),
            ] as [(HTTPRequest.Method, String, String?)] {
                _ = try await server.manage(method, path, token: token, body: body)
            }
            let audit = try await server.manage(.get, "audit", token: token)
            #expect(
                audit.column("items", "action") == [
                    "looked at a user's record", "set a user's password", "created a user", "looked at accounts",
                    "looked at a user's zones",
                ])
            #expect(
                audit.column("items", "person") == [
                    .string(user), "new@example.com", "new@example.com", nil, .string(user),
                ])
            #expect(audit.column("items", "who").allSatisfy { $0?.string?.hasPrefix("management token") == true })
            #expect(!audit.text.contains("long enough"))
            let of = try await server.manage(.get, "audit?person=\(user)&limit=1", token: token)
            #expect(of.column("items", "action") == ["looked at a user's record"])
            #expect(of["next"]?.string != nil)
        }
    }

    @Test("A wrong argument is refused by its name") func badArguments() async throws {
        try await TestServer.run { server in
            let token = try await server.managementToken()
            for (method, path, body, reason) in [
                (HTTPRequest.Method.post, "containers", "{}", "name is missing"),
                (.post, "containers", #"{"nmae":"c"}"#, "there is no parameter 'nmae'"),
                (.post, "containers", #"{"name":7}"#, "name must be a string"),
                (.post, "containers", "[]", "must be a JSON object"),
                (.put, "containers/iCloud.com.example.test", "{}", "name a switch"),
                (.put, "containers/iCloud.com.example.test", #"{"strictIndexes":"maybe"}"#, "true or false"),
                (.get, "users?limit=0", nil, "limit must be a whole number from 1 to 1000"),
                (.delete, "tokens/x", nil, "id must be a whole number"),
                (.get, "\(Self.place)/records", nil, "type is missing"),
                (.get, "\(Self.place)/zones?user=nobody", nil, "there is no user 'nobody'"),
                (.post, "\(Self.place)/records/modify", "{}", "operations must be an array"),
                (.post, "\(Self.place)/records/modify", #"{"operations":[]}"#, "limit.operationsPerRequest"),
                (
                    .post, "sessions",
                    #"{"container":"iCloud.com.example.test","email":"m@example.com","environment":"test"}"#,
                    "development or"
                ),
            ] as [(HTTPRequest.Method, String, String?, String)] {
                let answer = try await server.manage(method, path, token: token, body: body)
                #expect(
                    (400..<500).contains(answer.status) && answer.reason.contains(reason), "\(path): \(answer.text)")
            }
        }
    }

    @Test("An operator lists and stops shares") func shares() async throws {
        try await TestServer.run { server in
            let token = try await server.managementToken()
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("z")
            try await mei.save(zone: "z", "l", type: "List")
            let guid = try await mei.share("l", in: "z")
            let listed = try await server.manage(.get, "\(Self.place)/shares", token: token)
            #expect(listed["items.0.shortGUID"]?.string == guid)
            #expect(listed["items.0.recordName"]?.string == "l" && listed["items.0.title"]?.string == "Title")
            #expect(try await server.manage(.delete, "\(Self.place)/shares/\(guid)", token: token).status == 200)
            #expect(try await server.manage(.get, "\(Self.place)/shares", token: token)["items"]?.array == [])
            #expect(try await server.manage(.delete, "\(Self.place)/shares/\(guid)", token: token).status == 404)
        }
    }
}
