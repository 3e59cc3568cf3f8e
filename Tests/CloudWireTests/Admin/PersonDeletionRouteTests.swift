@testable import CloudHTTP
import CloudAccounts
import TestCloud
import CloudModel
import CloudStore
import CloudTransfer
import Testing

/// The deletion of a person over HTTP.
@Suite(.timeLimit(.minutes(20)))
struct PersonDeletionRouteTests {
    private static let path = "users/mei@example.com/deletion"
    private static let note = """
        {"user":"mei@example.com","operations":[
        {"operationType":"create","record":{"recordType":"Note","recordName":"n1","fields":{"title":{"value":"one"}}}}]}
        """

    @Test("A preview of a deletion changes nothing, the deletion removes everything")
    func previewed() async throws {
        try await TestServer.run { server in
            let token = try await server.managementToken()
            let mei = try await server.signIn("mei@example.com")
            let modify = "iCloud.com.example.test/development/records/modify"
            #expect(try await server.manage(.post, modify, token: token, body: Self.note).status == 200)
            for method in [HTTPRequest.Method.get, .post] {
                let answer = try await server.manage(method, Self.path, token: token)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer["sessions"]?.integer == 1 && answer["environments.0.footprint.records"]?.integer == 1)
                #expect(answer["environments.0.userRecordName"]?.string == mei.user)
            }
            let asked = try await mei.lookup(in: "private", "n1")
            #expect(asked.status == 421 || asked.status == 401, "\(asked.text)")
            for method in [HTTPRequest.Method.get, .post] {
                #expect(try await server.manage(method, Self.path, token: token).status == 404)
            }
            let audit = try await server.manage(.get, "audit", token: token)
            #expect(audit.text.contains("deleted a user"))
        }
    }

    @Test("The console shows what a deletion removes, then deletes the person")
    func console() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let visitor = WebVisitor(server)
            #expect(try await visitor.open("/console/person?email=mei@example.com").text.contains("view=deletion"))
            let preview = try await visitor.open("/console/person?email=mei@example.com&view=deletion")
            #expect(preview.status == 200 && preview.text.contains("Delete for good"), "\(preview.text)")
            let deleted = try await visitor.submit(
                "/console/person", ["email": "mei@example.com", "do": "delete"])
            #expect(deleted.status == 303, "\(deleted.text)")
            #expect(try await server.accounts.users.find(email: "mei@example.com") == nil)
            #expect(try await mei.lookup(in: "private", "n1").status != 200)
        }
    }

    @Test("Deleting a person needs the scope records:write") func scope() async throws {
        try await TestServer.run { server in
            _ = try await server.signIn("mei@example.com")
            let token = try await server.managementToken([.people])
            #expect(try await server.manage(.get, Self.path, token: token).status == 200)
            #expect(try await server.manage(.post, Self.path, token: token).status == 403)
        }
    }

    @Test("An interrupted deletion finishes when it is requested again")
    func interrupted() async throws {
        try await TestServer.run { server in
            _ = try await server.signIn("mei@example.com")
            struct Cut: Error {}
            let stores = ContainerStores(folder: server.folder, accounts: server.accounts, previews: nil)
            let cut = PersonDeletion(accounts: server.accounts, stores: stores, limits: Limits()) { throw Cut() }
            await #expect(throws: Cut.self) { try await cut.run(email: "mei@example.com") }
            try await stores.close()
            let token = try await server.managementToken()
            #expect(try await server.manage(.post, Self.path, token: token).status == 200)
            #expect(try await server.accounts.users.inDeletion().isEmpty)
        }
    }
}
