@testable import CloudHTTP
import CloudAccounts
import CloudEngine
import TestCloud
import CloudModel
import CloudCrypto
import Foundation
import Testing

struct CurrentUserTests {
    @Test("users/caller answers the old and the new names of a user", arguments: ["public", "private", "shared"])
    func caller(database: String) async throws {
        let fixture = try await UsersFixture()
        let user = try await fixture.user("mei@example.com")
        let (status, json) = try await fixture.ask("\(database)/users/caller", query: user.query)
        #expect(status == 200)
        #expect(json["userRecordName"]?.string == user.recordName)
        #expect(json["firstName"]?.string == "Mei")
        #expect(json["lastName"]?.string == "Chen")
        #expect(json["emailAddress"]?.string == "mei@example.com")
        #expect(json["nameComponents"]?.object?["givenName"]?.string == "Mei")
        #expect(json["lookupInfo"]?.object?["emailAddress"]?.string == "mei@example.com")
    }

    @Test("users/current answers the old names only", arguments: ["public", "private", "shared"])
    func current(database: String) async throws {
        let fixture = try await UsersFixture()
        let user = try await fixture.user("mei@example.com")
        for method in [HTTPRequest.Method.get, .post] {
            let (status, json) = try await fixture.ask(method, "\(database)/users/current", query: user.query)
            #expect(status == 200)
            #expect(json.members.map(\.key) == ["userRecordName", "firstName", "lastName"])
        }
    }

    @Test(
        "An anonymous caller is asked to sign in",
        arguments: ["users/caller", "users/current", "users/discover", "users/lookup/contacts"])
    func anonymous(path: String) async throws {
        let fixture = try await UsersFixture()
        let (status, json) = try await fixture.ask("public/\(path)", query: "ckAPIToken=\(fixture.apiToken)")
        #expect(status == 421)
        #expect(json["serverErrorCode"]?.string == "AUTHENTICATION_REQUIRED")
        #expect(json["redirectURL"]?.string?.contains("/auth/signin?request=") == true)
    }

    @Test("A server key has its own user and discovers no other users") func serverKey() async throws {
        let fixture = try await UsersFixture()
        let secret = P256.Signing.PrivateKey()
        let key = try await fixture.base.accounts.serverKeys.add(
            container: "c", environment: .development, name: "ci", pem: secret.publicKey.pemRepresentation)
        let paths = [
            "users/caller": 200, "users/current": 200, "users/discover": 401, "users/lookup/contacts": 401,
        ]
        for (path, expected) in paths {
            let date = fixture.base.folder.now().date.formatted(.iso8601)
            let message = "\(date)::/database/1/c/development/public/\(path)"
            var headers = HTTPFields()
            let signature = secret.signature(for: Data(message.utf8)).derRepresentation.base64EncodedString()
            for (name, value) in [("KeyID", key.id), ("ISO8601Date", date), ("SignatureV1", signature)] {
                headers[try #require(HTTPField.Name("X-Apple-CloudKit-Request-\(name)"))] = value
            }
            let (status, json) = try await fixture.ask("public/\(path)", query: "", headers: headers)
            #expect(status == expected)
            if expected == 200 { #expect(json["userRecordName"]?.string == key.userRecordName) }
        }
    }
}
