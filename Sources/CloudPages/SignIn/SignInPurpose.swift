package import CloudAccounts
package import CloudHTTP
package import CloudWire
import CloudModel

/// The purpose of a sign-in: a token for an app, or a session for the server's own pages.
package enum SignInPurpose: Sendable {
    case app(AppSignIn)
    case own(OwnPath?)

    /// Reads the purpose from the query or hidden fields of a sign-in page.
    package static func read(_ fields: FormFields, site: Site) async throws -> SignInPurpose {
        if let text = fields["request"] { return .app(try await AppSignIn.read(text, site: site)) }
        guard let text = fields["return"] else { return .own(nil) }
        guard let path = OwnPath(text) else {
            throw PageError(.badRequest, key: "error.foreignReturn", .input)
        }
        return .own(path)
    }

    /// The hidden field that carries the purpose; nil for a sign-in without a return path.
    package var field: (name: String, value: String)? {
        switch self {
        case .app(let app): ("request", app.text)
        case .own(let path): path.map { ("return", $0.text) }
        }
    }

    /// A page's address, with the purpose added to its query.
    package func address(_ path: String, adding items: [(name: String, value: String)] = []) -> String {
        let items = (field.map { [$0] } ?? []) + items
        return items.isEmpty ? path : SignInCallback(path).adding(items)
    }

    package var policy: PagePolicy {
        if case .app(let app) = self, case .callback(let callback) = app.delivery {
            return PagePolicy(formTargets: callback.policySource.map { [$0] } ?? [])
        }
        return PagePolicy()
    }
}

/// An app waiting for a sign-in.
package struct AppSignIn: Sendable {
    /// The way to deliver the outcome to the app (reference B §3.6, §3.7).
    enum Delivery: Hashable, Sendable {
        /// `postMessage` to the opener, restricted to this origin; `*` for any origin.
        case opener(origin: String)
        case callback(SignInCallback)
    }

    /// The sealed request from the link.
    package let text: String
    package let request: SignInRequest
    package let container: Container
    let delivery: Delivery
    let hasExpired: Bool
    /// True if the API token allows any origin, so that the requesting site is unknown.
    let isAnySite: Bool

    /// - Throws: a page for a forged link, or for an app that cannot receive the outcome.
    package static func read(_ text: String, site: Site) async throws -> AppSignIn {
        guard let request = site.links.open(text),
            let container = try await site.accounts.containers.find(id: request.container),
            let (delivery, isAnySite) = try await delivery(of: request, site: site)
        else {
            throw PageError(
                .badRequest, Phrase("signin.badLink"), Phrase("signin.badLink.forged"), .credentials(.forgedLink))
        }
        return AppSignIn(
            text: text, request: request, container: container, delivery: delivery,
            hasExpired: site.links.hasExpired(request), isAnySite: isAnySite)
    }

    /// The app's display name for people; nil for an unknown origin.
    package var name: String? {
        switch delivery {
        case .opener("*"): nil
        case .opener(let origin): origin.split(separator: "/").last.map(String.init) ?? origin
        case .callback(let callback): callback.name
        }
    }

    /// Derived from the API token's current registration, so that a web auth token reaches registered targets only. A
    /// token without allowed origins delivers to the requesting page's origin; only development delivers to an unknown
    /// origin.
    private static func delivery(
        of request: SignInRequest, site: Site
    ) async throws -> (Delivery, isAnySite: Bool)? {
        var allowed: [String] = []
        if request.apiToken != DevelopmentToken.id {
            guard let token = try await site.accounts.apiTokens.find(id: request.apiToken) else { return nil }
            if let callback = token.signInCallback { return (.callback(SignInCallback(callback)), false) }
            allowed = token.allowedOrigins
        } else if !site.isDevelopment {
            return nil
        }
        if let origin = request.origin {
            guard allowed.isEmpty || allowed.contains(origin) else { return nil }
            return (.opener(origin: origin), allowed.isEmpty && request.apiToken != DevelopmentToken.id)
        }
        guard !site.isDevelopment else { return (.opener(origin: "*"), false) }
        throw PageError(.badRequest, key: "signin.noTarget", .credentials(.noOrigin))
    }
}
