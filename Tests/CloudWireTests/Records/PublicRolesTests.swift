import CloudHTTP
import TestCloud
import CloudModel
import NIOCore
import Testing

/// Default permissions in the public database (reference A §12).
struct PublicRolesTests {
    @Test("The public database is readable without signing in") func reading() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""title": {"value": "Coast"}"#)
            let world = server.app()
            let found = try await world.lookup(in: "public", "n1")
            #expect(found["records.0.fields.title.value"] == "Coast")
            #expect(found["records.0.zoneID"] == nil)
            let queried = try await world.post("public/records/query", #"{"query": {"recordType": "Note"}}"#)
            #expect(queried.recordNames == ["n1"])
        }
    }

    @Test("A write without a user is answered 421 with the sign-in URL") func anonymousWrite() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let tag = try await mei.save(in: "public", "n1")
            for operation in [
                Operation.write("create", "n2"), Operation.write("update", "n1", tag: tag), Operation.delete("n1"),
                Operation.write("create", "n3", type: "Unheard"),
            ] {
                let answer = try await server.app().modify(in: "public", [operation])
                #expect(answer.status == 421)
                #expect(answer.code == "AUTHENTICATION_REQUIRED")
                let link = try #require(answer["redirectURL"]?.string)
                #expect(link.hasPrefix("http://localhost/"))
                let page = try await server.send(.get, String(link.dropFirst("http://localhost".count)))
                #expect(page.status == 200)
                #expect(page.headers[.contentType]?.hasPrefix("text/html") == true)
            }
            #expect(try await server.app().lookup(in: "public", "n1")["records.0.recordType"] == "Note")
        }
    }

    @Test("A user may create records and not change those of others") func othersRecords() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let tag = try await mei.save(in: "public", "n1")
            let ann = try await server.signIn("ann@example.com")
            let answer = try await ann.modify(
                in: "public", [Operation.write("create", "n2"), Operation.write("update", "n1", tag: tag)])
            #expect(answer["records.0.created.userRecordName"]?.string == ann.user)
            #expect(answer["records.1.serverErrorCode"] == "ACCESS_DENIED")
            #expect(answer["records.1.reason"] == "WRITE operation not permitted")
            let deletion = try await ann.modify(in: "public", [Operation.delete("n1")])
            #expect(deletion["records.0.serverErrorCode"] == "ACCESS_DENIED")
        }
    }

    @Test("Users can write their own user record and cannot delete it") func ownUserRecord() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let ann = try await server.signIn("ann@example.com")
            _ = try await ann.get("public/users/caller")
            let record = try await mei.lookup(in: "public", mei.user)
            #expect(record["records.0.recordType"] == "Users")
            let tag = try #require(record["records.0.recordChangeTag"]?.string)
            let field = #""nickname": {"value": "M"}"#
            let written = try await mei.modify(
                in: "public", [Operation.write("update", mei.user, type: "Users", tag: tag, fields: field)])
            #expect(written["records.0.fields.nickname.value"] == "M")
            let refused = try await mei.modify(
                in: "public",
                [
                    Operation.delete(mei.user), Operation.write("forceUpdate", ann.user, type: "Users", fields: field),
                    Operation.write("create", "x", type: "Users"),
                ])
            #expect(
                refused.column("records", "serverErrorCode") == ["ACCESS_DENIED", "ACCESS_DENIED", "ACCESS_DENIED"])
            #expect(try await mei.lookup(in: "public", mei.user)["records.0.recordType"] == "Users")
        }
    }

    @Test("The public database has one zone") func oneZone() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let zone = #""zoneID": {"zoneName": "Z"}"#
            for (endpoint, body) in [
                ("records/modify", #"{"operations": [], \#(zone)}"#), ("records/lookup", #"{"records": [], \#(zone)}"#),
                ("records/query", #"{"query": {"recordType": "Note"}, \#(zone)}"#),
            ] {
                let answer = try await mei.post("public/\(endpoint)", body)
                #expect(answer.status == 400)
                #expect(answer.reason.contains("no custom zones"))
            }
            let given = try await mei.post(
                "public/records/lookup",
                #"{"records": [], "zoneID": {"zoneName": "_defaultZone", "ownerRecordName": "_x"}}"#)
            #expect(given.status == 200)
        }
    }
}
