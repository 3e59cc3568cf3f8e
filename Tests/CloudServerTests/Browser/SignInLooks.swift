import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// The pages that people meet on the way to an app.
struct SignInLooks {
    let server: TestServer

    var origin: String { "http://127.0.0.1:\(server.client.port ?? 0)" }

    func prepare() async throws -> [Look] {
        let ada = "ada.lovelace@example.com"
        let account = try await server.accounts.users.create(email: ada, givenName: "Ada", familyName: "Lovelace")
        try await addProviders(account)
        _ = try await server.accounts.users.create(email: "נועה@example.com", givenName: "נועה")
        let refusal = try await server.send(
            .get, server.app("iCloud.com.example.notes").target("public/users/caller"),
            headers: [.origin: "https://notes.example.com"])
        let link = "/" + (try #require(refusal["redirectURL"]?.string).split(separator: "/", maxSplits: 2)[2])
        let wrong = """
            document.getElementById('email').value = '\(ada)';
            document.getElementById('password').value = 'wrong';
            document.querySelector('button[value=signin]').click()
            """
        let looks = [
            Look(name: "front", path: "/"), Look(name: "nowhere", path: "/nowhere"),
            Look(name: "signin", path: "/auth/signin"),
            Look(name: "signin-app", path: link),
            Look(name: "signin-wrong", path: link, action: wrong, signal: "document.getElementById('problem')"),
            Look(name: "forgot", path: "/auth/forgot"), Look(name: "reset", path: "/auth/reset?id=x"),
            Look(name: "register", path: "/auth/register"), Look(name: "confirm", path: "/auth/confirm?id=x"),
            Look(name: "signed-out", path: "/auth/signout"), Look(name: "refused", path: "/auth/signin?return=//x"),
            Look(name: "signed-in", path: "/auth/signin", person: ada),
            Look(name: "account", path: "/account", person: ada),
            Look(name: "account-delete", path: "/account/delete", person: ada),
            Look(name: "signout", path: "/auth/signout", person: ada),
            Look(name: "continue", path: link, person: ada),
            Look(
                name: "handover", path: link, person: ada,
                action: "document.querySelector('button[value=continue]').click()",
                signal: "document.querySelector('#alone:not([hidden])')"),
        ]
        return looks.withKinds(["nowhere", "signin-app", "forgot", "reset", "account", "account-delete"])
    }

    /// Providers with a short, a long and a foreign title; the person is connected to two.
    private func addProviders(_ account: UserAccount) async throws {
        for (name, title) in [
            ("apple", "Apple"), ("work", "Donaudampfschifffahrtsgesellschaft accounts"), ("club", "נועה’s club"),
        ] {
            var provider = SignInProvider(
                name: name, kind: .oidc, clientID: "client", issuer: "https://\(name).example.com")
            provider.title = title
            _ = try await server.accounts.providers.add(provider, secret: ProviderSecret("secret"))
            guard name != "club" else { continue }
            var person = ProvenPerson(provider: name, issuer: provider.issuer, subject: "ada")
            person.email = "ada@\(name).example.com"
            let ticket = SignInTicket(id: "connection at \(name)", expires: server.accounts.now() + .seconds(60))
            #expect(try await server.accounts.identities.connect(person, to: account.id, redeeming: ticket) == nil)
        }
    }
}
