import CloudAccounts
import CloudModel
import TestBrowser
import TestCloud
import Testing

/// Passkeys with the browser's virtual authenticator.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct PasskeyBrowserTests {
    private static let email = "mei@example.com"
    private static let password = "correct horse"

    private static func object(_ members: [String: JSONValue]) -> JSONValue {
        .object(JSONObject(members.map { .init(key: $0.key, value: $0.value) }))
    }

    private func signOut(_ page: BrowserPage, _ origin: String) async throws {
        try await page.open(origin + "/auth/signout")
        try await page.load { try await page.click("form[method=post] button") }
    }

    @Test("A passkey is added at the account page and signs in, unless the device does not know its user")
    func walk() async throws {
        try await TestServer.run(.live) { server in
            let origin = "http://localhost:\(try #require(server.client.port))"
            _ = try await server.accounts.users.create(email: Self.email, givenName: "Mei", familyName: "Chen")
            _ = try await server.accounts.users.setPassword(Self.password, email: Self.email)
            let page = try await TestBrowser().page(width: 1280, height: 800)
            try await page.send("WebAuthn.enable")
            let authenticator = try #require(
                try await page.send(
                    "WebAuthn.addVirtualAuthenticator",
                    [
                        "options": Self.object([
                            "protocol": .string("ctap2"), "transport": .string("internal"),
                            "hasResidentKey": .bool(true), "hasUserVerification": .bool(true),
                            "isUserVerified": .bool(true), "automaticPresenceSimulation": .bool(true),
                        ])
                    ])["authenticatorId"]?.string)

            try await page.open(origin + "/auth/signin?return=/account")
            try await page.wait(for: "!document.getElementById('passkey').hidden")
            try await page.screenshot("passkey-sign-in")
            try await page.type(Self.email, into: "#email")
            try await page.type(Self.password, into: "#password")
            try await page.load { try await page.click("button[value=signin]") }

            try await page.wait(for: "!document.querySelector('form[data-passkey=add]').hidden")
            try await page.type("Phone", into: "#passkey-name")
            try await page.load { try await page.click("form[data-passkey=add] button") }
            #expect(try await page.text.contains("Phone"))
            for (width, dark) in [(360, false), (360, true), (1280, false), (1280, true)] {
                try await page.resize(width: width, height: 800, dark: dark)
                try await page.screenshot("passkey-account-\(width)-\(dark ? "dark" : "light")")
            }

            // The suggestion of the address field is taken at once by the virtual authenticator.
            try await signOut(page, origin)
            try await page.open(origin + "/auth/signin?return=/account")
            try await page.wait(for: "location.pathname == '/account' && document.readyState == 'complete'")
            #expect(try await page.text.contains(Self.email))

            try await signOut(page, origin)
            try await page.send(
                "WebAuthn.setUserVerified",
                ["authenticatorId": .string(authenticator), "isUserVerified": .bool(false)])
            try await page.open(origin + "/auth/signin?return=/account")
            try await page.wait(for: "!document.getElementById('passkey').hidden")
            try await page.click("#passkey button")
            try await page.wait(for: "!document.querySelector('#passkey [role=alert]').hidden")
            #expect(try await page.address.contains("/auth/signin"))
            #expect(page.faults == [])
        }
    }
}
