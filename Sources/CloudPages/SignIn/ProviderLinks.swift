import CloudAccounts
import CloudHTTP
import CloudModel

/// Providers on the sign-in page.
package struct ProviderLinks: PageView {
    package let links: [Link]
    /// Whether an app's page waits for this window, so that a provider opens in another one.
    package let opensWindow: Bool

    package struct Link: PageView {
        package let title: String
        package let address: String
    }

    /// - Returns: nil without providers.
    static func all(_ call: PageCall, _ purpose: SignInPurpose) async throws -> ProviderLinks? {
        let providers = try await call.site.accounts.providers.all()
        guard !providers.isEmpty else { return nil }
        return ProviderLinks(
            links: providers.map { Link(title: $0.title, address: purpose.address($0.callbackPath)) },
            opensWindow: purpose.hasOpener)
    }

    /// The address of the only provider, if people go there without a click.
    static func atOnce(_ call: PageCall, _ purpose: SignInPurpose) async throws -> String? {
        guard !purpose.hasOpener else { return nil }
        let providers = try await call.site.accounts.providers.all()
        guard providers.count == 1, providers[0].startsAtOnce else { return nil }
        return purpose.address(providers[0].callbackPath)
    }
}

extension SignInPurpose {
    /// True if the page that opened the window gets the outcome.
    fileprivate var hasOpener: Bool {
        if case .app(let app) = self, case .opener = app.delivery { true } else { false }
    }
}
