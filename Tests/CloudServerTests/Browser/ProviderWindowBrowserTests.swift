import CloudAccounts
import CloudHTTP
import CloudModel
import Foundation
import Synchronization
import TestBrowser
import TestCloud
import Testing

@testable import CloudServer

/// Signing in at a provider from the window that an app's page has opened.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ProviderWindowBrowserTests {
    @Test(
        "The window that an app opened keeps its opener although the provider's page cuts openers off",
        arguments: ["same-origin", "same-origin-allow-popups", "unsafe-none"])
    func openerPolicy(policy: String) async throws {
        try await TestServer.run(.live, dev: false) { server in
            let origin = "http://127.0.0.1:\(try #require(server.client.port))"
            _ = try await server.accounts.containers.create(name: "c")
            try await TestProvider.run(now: server.accounts.now) { provider in
                provider.setManner {
                    $0.showsPage = true
                    $0.pageHeaders = [HTTPField.Name("Cross-Origin-Opener-Policy")!: policy]
                }
                var entry = SignInProvider(
                    name: "id", kind: .oidc, clientID: TestProvider.client, issuer: provider.issuer)
                entry.allowsHTTP = true
                _ = try await server.accounts.providers.add(entry, secret: ProviderSecret(TestProvider.secret))
                try await walk(server, origin)
            }
        }
    }

    private func walk(_ server: TestServer, _ origin: String) async throws {
        let target = Mutex("")
        try await AppSite.run({ _ in AppSite.signInPage(caller: origin + target.withLock(\.self)) }) { site in
            var app = server.app("c", environment: "production")
            app.apiToken = try await server.accounts.apiTokens.create(
                container: "c", environment: .production, name: "web", allowedOrigins: [site.origin],
                signInCallback: nil
            ).text
            target.withLock { $0 = app.target("public/users/caller") }
            let page = try await TestBrowser().page(width: 640, height: 525)
            try await page.open(site.origin + "/")
            try await page.wait(for: "'ready' in document.body.dataset")
            let window = try await page.popup { try await page.click("#popup") }
            let second = try await window.popup { try await window.click("a[data-window]") }
            try await second.wait(for: "document.getElementById('yes') !== null")
            try await window.closing { try await second.click("#yes") }
            try await page.wait(for: "document.getElementById('message').textContent != ''")
            let message = try await page.text(of: "document.getElementById('message').textContent")
            #expect(message.contains("ckWebAuthToken") && message.contains("1__1__"))
        }
    }
}
