import CloudHTTP
import CloudEngine
import CloudModel
import CloudServer
import CloudWire
import TestCloud
import Testing

@testable import CloudAccounts
@testable import CloudStore

/// A person without an address, on pages, in the console and over the admin API.
@Suite(.timeLimit(.minutes(5)))
struct AddresslessPersonTests {
    private func person(_ accounts: AccountStore) async throws -> UserAccount {
        let now = accounts.now()
        return try await accounts.database.pool.write { db in
            let made = try UserAccounts.insertAccount(
                email: nil, givenName: "Noa", familyName: nil, verified: false, created: now, in: db)
            try PersonIdentity.insert(
                issuer: "https://id.example", subject: "s1", provider: "id", email: "noa@id.example", account: made.id,
                now: now, in: db)
            return made
        }
    }

    @Test("They have a page of their own, see no address on it, and delete their account there") func page()
        async throws
    {
        try await SignInFixture.run { fixture in
            let accounts = fixture.server.accounts
            let noa = try await person(accounts)
            let visitor = WebVisitor(fixture.server)
            visitor.setCookie(
                "cumulus_session", try await accounts.browserLogins.create(account: noa, persistent: false))
            let shown = try await visitor.open("/account")
            #expect(shown.status == 200 && shown.text.contains("Noa"))
            #expect(!shown.text.contains("name=\"current\""))
            let renamed = try await visitor.submit("/account", ["do": "name", "givenName": "Noa L"])
            #expect(renamed.status == 303)
            _ = try await visitor.open("/account")
            let unproven = try await visitor.submit("/account", ["do": "password", "password": "battery staple"])
            #expect(unproven.status == 401)
            let signer = TokenSigner(key: try await accounts.secrets.key(for: "proof"))
            let end = (accounts.now() + .seconds(600)).milliseconds
            visitor.setCookie("cumulus_proof", signer.seal(Array("proof \(noa.id) \(end)".utf8)))
            _ = try await visitor.open("/account")
            let refused = try await visitor.submit("/account", ["do": "password", "password": "battery staple"])
            #expect(refused.status == 400 && refused.text.contains("no address"))
            _ = try await visitor.open("/account/delete")
            let deleted = try await visitor.submit("/account/delete", [:])
            #expect(deleted.status == 200)
            #expect(try await accounts.users.find(id: noa.id) == nil)
        }
    }

    @Test("Operators see, disable, give an address to and delete them by their id") func operators() async throws {
        try await TestServer.run { server in
            let noa = try await person(server.accounts)
            let token = try await server.managementToken(Set(ManagementScope.allCases))
            func call(_ method: HTTPRequest.Method, _ path: String, _ body: String = "{}") async throws -> JSONValue {
                let answer = try await server.manage(method, path, token: token, body: body)
                #expect(answer.status == 200, "\(path): \(answer.text)")
                return answer.json
            }
            let path = "users/\(noa.idText)"
            let user = try await call(.get, path)
            #expect(user[path: "id"]?.integer == noa.id && user[path: "email"] == nil)
            #expect(try await call(.post, path + "/disable")[path: "disabled"]?.bool == true)
            #expect(try await call(.post, path + "/enable")[path: "disabled"]?.bool == false)
            let given = try await call(.put, path + "/address", #"{"address": "noa@example.com"}"#)
            #expect(given[path: "email"]?.string == "noa@example.com" && given[path: "emailVerified"]?.bool == true)
            #expect(try await call(.put, path + "/address", "{}")[path: "email"] == nil)
            let console = WebVisitor(server)
            #expect(try await console.open("/console/people").text.contains("Noa"))
            let shown = try await console.open("/console/person?email=\(noa.idText)")
            #expect(shown.status == 200 && !shown.text.contains("Take the address"))
            let fields = ["email": noa.idText, "do": "address", "address": "noa@example.org"]
            let moved = try await console.submit("/console/person", fields)
            #expect(moved.status == 303 && moved.headers[.location]?.contains("noa") == true, "\(moved.text)")
            #expect(try await call(.get, path)[path: "email"]?.string == "noa@example.org")
            _ = try await server.accounts.users.create(email: "taken@example.com")
            _ = try await console.open("/console/person?email=\(noa.idText)")
            let taken = ["email": noa.idText, "do": "address", "address": "taken@example.com"]
            let refused = try await console.submit("/console/person", taken)
            #expect(refused.text.contains("exists already"), "\(refused.status)")
            #expect(try await call(.post, path + "/deletion")[path: "account"]?.integer == noa.id)
        }
    }
}
