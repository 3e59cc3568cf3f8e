@testable import CloudWire
import CloudAccounts
import TestCloud
import CloudModel
import Testing

struct DevelopmentModeTests {
    @Test("With --dev a request creates the container that it names") func newContainer() async throws {
        let fixture = try AuthenticationFixture(dev: true)
        let identity = try await fixture.identify(container: "new", query: "ckAPIToken=\(DevelopmentToken.text)")
        #expect(identity.caller == .world)
        #expect(try await fixture.accounts.containers.all().map(\.name) == ["new"])
    }

    @Test("The fixed API token is good in development only") func fixedToken() async throws {
        let fixture = try AuthenticationFixture(dev: true)
        let query = "ckAPIToken=\(DevelopmentToken.text)"
        #expect(try await fixture.refusal(container: "new", .production, query: query) == .authenticationFailed)
        #expect(try await fixture.accounts.containers.all().isEmpty)
    }

    @Test(
        "An invalid container name is refused",
        arguments: ["", "a/b", "a b", "ä", String(repeating: "x", count: 256)])
    func badContainerName(name: String) async throws {
        let fixture = try AuthenticationFixture(dev: true)
        let query = "ckAPIToken=\(DevelopmentToken.text)"
        #expect(try await fixture.refusal(container: name, query: query) == .badRequest)
    }

    @Test("In development mode an email address is enough for a session") func emailSession() async throws {
        let fixture = try AuthenticationFixture(dev: true)
        let endpoint = DevelopmentSession(accounts: fixture.accounts)
        let body = try JSONParser.parse(
            Array(#"{"container":"new","environment":"development","email":"me@example.com"}"#.utf8))
        let answers = try await [endpoint.respond(try body.members), endpoint.respond(try body.members)]
        let objects = try answers.map { try JSONParser.parse($0.bytes).members }
        #expect(objects[0]["userRecordName"] == objects[1]["userRecordName"])
        #expect(objects[0]["ckWebAuthToken"] != objects[1]["ckWebAuthToken"])
        let token = try #require(objects[0]["ckWebAuthToken"]?.string).replacing("+", with: "%2B")
        let identity = try await fixture.identify(
            container: "new", .development, .private,
            query: "ckAPIToken=\(DevelopmentToken.text)&ckWebAuthToken=\(token)")
        #expect(identity.caller.userRecordName == objects[0]["userRecordName"]?.string)
    }

    @Test(
        "A development sign-in with wrong input is refused by the member at fault",
        arguments: [
            ("{}", "container"), (#"{"container":7}"#, "container"), (#"{"container":"a/b"}"#, "container"),
            (#"{"container":"c"}"#, "environment"), (#"{"container":"c","environment":"test"}"#, "environment"),
            (#"{"container":"c","environment":"production"}"#, "email"),
            (#"{"container":"c","environment":"production","email":"x"}"#, "email"),
            (#"{"container":"c","environment":"production","email":null}"#, "email"),
        ])
    func badInput(body: String, field: String) async throws {
        let fixture = try AuthenticationFixture(dev: true)
        let error = await #expect(throws: ServerError.self) {
            try await DevelopmentSession(accounts: fixture.accounts)
                .respond(try JSONParser.parse(Array(body.utf8)).members)
        }
        #expect(error?.code == .badRequest)
        #expect(error?.reason.hasPrefix(field + ":") == true)
        #expect(try await fixture.accounts.containers.all().isEmpty)
    }
}

extension JSONValue {
    struct NotAnObject: Error {}

    /// The members of what must be an object.
    var members: JSONObject {
        get throws {
            guard let object else { throw NotAnObject() }
            return object
        }
    }
}
