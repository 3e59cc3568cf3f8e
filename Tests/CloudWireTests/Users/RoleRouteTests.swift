import CloudAccounts
import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// Custom roles over HTTP: given to users, and what they open to them.
struct RoleRouteTests {
    static let schema = """
        CREATE ROLE editor;
        CREATE ROLE "reader";
        RECORD TYPE Page (
            text STRING QUERYABLE, picture ASSET,
            GRANT READ, CREATE, WRITE TO editor, GRANT READ TO reader, GRANT READ TO "_creator"
        );
        """

    @Test("A user with a role has the permissions granted to the role") func grants() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            try await program.importing(Self.schema)
            let mei = try await server.signIn("mei@example.com")
            let omar = try await server.signIn("omar@example.com")
            let page = Operation.write("create", "p1", type: "Page", fields: #""text": {"value": "a"}"#)
            let upload = #"{"tokens": [{"recordType": "Page", "fieldName": "picture"}]}"#
            #expect(try await mei.modify(in: "public", [page])["records.0.serverErrorCode"] == "ACCESS_DENIED")
            #expect(try await mei.post("public/assets/upload", upload).status == 403)
            let granted = try await program.send(.put, "roles/editor/mei%40example.com")
            #expect(granted["userRecordName"]?.string == mei.user)
            #expect(granted["roles"] == .array(["editor"]))
            #expect(try await mei.modify(in: "public", [page])["records.0.recordName"] == "p1")
            #expect(try await mei.post("public/assets/upload", upload).status == 200)
            let numbers = try await program.send(.get, "roles").column("roles", "number").compactMap(\.self)
            #expect(
                try await mei.lookup(in: "public", mei.user)["records.0.fields.roles.value"]
                    == .array([try #require(numbers.first)]))

            let query = #"{"query": {"recordType": "Page"}}"#
            #expect(try await omar.lookup(in: "public", "p1")["records.0.serverErrorCode"] == "ACCESS_DENIED")
            #expect(try await omar.post("public/records/query", query).recordNames == [])
            #expect(try await program.send(.put, "roles/reader/\(omar.user)").status == 200)
            #expect(try await omar.post("public/records/query", query).recordNames == ["p1"])
            let change = Operation.write("forceUpdate", "p1", type: "Page", fields: #""text": {"value": "b"}"#)
            #expect(try await omar.modify(in: "public", [change])["records.0.serverErrorCode"] == "ACCESS_DENIED")
            #expect(try await server.app().lookup(in: "public", "p1").status == 421)
            #expect(try await server.app().post("public/records/query", query).status == 421)

            let revoked = try await program.send(.delete, "roles/reader/\(omar.user)")
            #expect(revoked["roles"] == .array([]))
            #expect(try await omar.post("public/records/query", query).recordNames == [])
        }
    }

    @Test("Roles and their members are listed in pages") func listing() async throws {
        try await TestServer.run {
            $0.limits.recordsPerResponse = 2
        } _: { server in
            let program = try await server.makeOperator()
            #expect(try await program.send(.get, "roles")["roles"] == .array([]))
            try await program.importing(Self.schema)
            var users: [String] = []
            for name in ["a", "b", "c"] {
                users.append(try await server.signIn("\(name)@example.com").user)
                _ = try await program.send(.put, "roles/reader/\(name)%40example.com")
            }
            users.sort()
            let first = try await program.send(.get, "roles")
            // PostgreSQL gives no number again that a transaction drew which was undone.
            let numbers = first.column("roles", "number").compactMap { $0?.integer }
            #expect(numbers.count == 2 && numbers[0] < numbers[1])
            #expect(first.column("roles", "name") == ["editor", "reader"])
            #expect(first.column("members", "userRecordName").map { $0?.string } == Array(users.prefix(2)))
            #expect(first["hasMore"] == true)
            let rest = try await program.send(.get, "roles?after=\(users[1])")
            #expect(rest.column("members", "userRecordName").map { $0?.string } == [users[2]])
            #expect(rest["hasMore"] == false)
            #expect(try await program.send(.get, "roles", in: "production")["roles"] == .array([]))
        }
    }

    @Test("An unknown user or role is named in the refusal") func unknown() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            try await program.importing(Self.schema)
            let mei = try await server.signIn("mei@example.com")
            for (path, hint) in [
                ("roles/owner/\(mei.user)", "'owner'"), ("roles/editor/nobody%40example.com", "'nobody@example.com'"),
                ("roles/editor/_0123", "'_0123'"), ("roles/_world/\(mei.user)", "'_world'"),
                ("roles/editor/a%00b", "a"), ("roles/editor/a%00b%40example.com", "a"), ("roles/editor/%FF", "no user"),
            ] {
                let answer = try await program.send(.put, path)
                #expect(answer.status == 404 && answer.code == "NOT_FOUND", "\(path)")
                #expect(answer.reason.contains(hint), "\(answer.reason)")
            }
        }
    }

    /// A person who has not been in the container has a record there from then on.
    @Test("A user gets a role before their first request") func earlyRole() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            try await program.importing(Self.schema)
            _ = try await server.accounts.users.create(email: "new@example.com")
            let name = try await program.send(.put, "roles/editor/new%40example.com")["userRecordName"]?.string
            let new = try await server.signIn("new@example.com")
            #expect(new.user == name)
            let numbers = try await program.send(.get, "roles").column("roles", "number").compactMap(\.self)
            #expect(
                try await new.lookup(in: "public", new.user)["records.0.fields.roles.value"]
                    == .array([try #require(numbers.first)]))
        }
    }

    @Test("Users cannot give themselves roles") func selfAssignment() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            try await program.importing(Self.schema)
            let mei = try await server.signIn("mei@example.com")
            _ = try await mei.get("public/users/caller")
            let answer = try await mei.modify(
                in: "public",
                [Operation.write("forceUpdate", mei.user, type: "Users", fields: #""roles": {"value": [1]}"#)])
            #expect(answer["records.0.serverErrorCode"] == "ACCESS_DENIED")
            #expect(answer["records.0.reason"]?.string?.contains("field 'roles'") == true)
        }
    }
}
