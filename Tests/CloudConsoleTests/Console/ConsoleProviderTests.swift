import CloudAccounts
import CloudModel
import TestCloud
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ConsoleProviderTests {
    private static let path = "/console/sign-in"

    @Test("Providers are added, changed, tested and removed, and a secret is not shown") func lifetime() async throws {
        try await TestServer.run { server in
            let visitor = WebVisitor(server)
            _ = try await visitor.open(Self.path)
            let provider = [
                "do": "add", "name": "work", "kind": "oidc", "clientID": "c", "issuer": "https://127.0.0.1:1",
                "secret": " correct horse\n", "title": "<b>Work",
            ]
            #expect(try await visitor.submit(Self.path, provider).status == 303)
            let added = try #require(try await server.accounts.providers.find(name: "work"))
            #expect(try await server.accounts.providers.secret(of: added).text == "correct horse")
            let page = try await visitor.open(Self.path)
            #expect(page.text.contains("&lt;b&gt;Work") && !page.text.contains("horse"))
            let change = ["do": "change", "name": "work", "admission": "domains", "admitted": "a.example\nb.example"]
            #expect(try await visitor.submit(Self.path, change).status == 303)
            let changed = try await server.accounts.providers.require(name: "work")
            #expect(changed.admission == .domains(["a.example", "b.example"]) && changed.title == "<b>Work")
            let tested = try await visitor.submit(Self.path, ["do": "test", "name": "work"])
            #expect(tested.status == 200 && tested.text.contains("Test of work"), "\(tested.text)")
            for wrong in [
                provider, ["do": "add", "name": "a"], ["do": "change", "name": "work", "admission": "groups"],
            ] {
                let answer = try await visitor.submit(Self.path, wrong)
                #expect(answer.status >= 400 && answer.status < 500, "\(answer.text)")
                #expect(answer.text.contains("id=\"problem\"") && !answer.text.contains("horse"), "\(answer.text)")
            }
            #expect(try await visitor.submit(Self.path, ["do": "remove", "name": "work"]).status == 303)
            #expect(try await server.accounts.providers.all().isEmpty)
        }
    }
}
