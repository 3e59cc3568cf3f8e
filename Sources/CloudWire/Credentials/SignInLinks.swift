package import CloudAccounts
package import CloudEngine
package import CloudHTTP
package import CloudModel
import Foundation

/// A requested sign-in. The sign-in link itself carries the request, sealed, so the server stores nothing.
package struct SignInRequest: Hashable, Sendable {
    package let container: Int64
    package let environment: ContainerEnvironment
    /// The row id of the page's API token; 0 for the development token.
    package let apiToken: Int64
    /// The origin that receives the outcome; nil when the page sent no origin.
    package let origin: String?
    /// The link's unique ticket, valid for a single token.
    package let ticket: SignInTicket
}

/// Creates and parses the `redirectURL` of a 421 (reference B §3.5).
package struct SignInLinks: Sendable {
    /// The lifetime of a link. CloudKit JS fetches a fresh one every 14 minutes.
    package static let lifetime = Duration.seconds(3600)

    package let signer: TokenSigner
    package let origin: PublicOrigin
    package let now: Now

    /// A request's sign-in address.
    ///
    /// - Parameter authority: host and port as the client named them; used without a public URL.
    package func url(for request: SignInRequest, authority: String?) -> String {
        "\(origin.text(authority: authority))/auth/signin?request=\(seal(request))"
    }

    /// The request in a link; nil for a forged link.
    package func open(_ text: String) -> SignInRequest? {
        guard let payload = signer.open(text), let object = try? JSONParser.parse(payload).object,
            let container = object["c"]?.integer,
            let environment = object["e"]?.string.flatMap(ContainerEnvironment.init(rawValue:)),
            let apiToken = object["t"]?.integer, let id = object["i"]?.string, let expires = object["x"]?.integer
        else { return nil }
        return SignInRequest(
            container: container, environment: environment, apiToken: apiToken, origin: object["o"]?.string,
            ticket: SignInTicket(id: id, expires: Timestamp(wholeSeconds: expires)))
    }

    /// Returns true if the link has expired.
    package func hasExpired(_ request: SignInRequest) -> Bool { request.ticket.expires <= now() }

    private func seal(_ request: SignInRequest) -> String {
        var payload = JSONWriter(capacity: 128)
        payload.object {
            $0.member("c", request.container)
            $0.member("e", request.environment.rawValue)
            $0.member("t", request.apiToken)
            $0.member("o", request.origin)
            $0.member("i", request.ticket.id)
            $0.member("x", request.ticket.expires.wholeSeconds)
        }
        return signer.seal(payload.bytes)
    }
}

extension Authenticator {
    /// The `redirectURL` to put into an `AUTHENTICATION_REQUIRED` answer.
    ///
    /// Nil where a sign-in is impossible: the request is signed, or its API token is invalid.
    /// - Parameter authority: host and port as the client named them.
    package func signInURL(
        container name: String, environment: ContainerEnvironment, query: QueryString, headers: HTTPFields,
        authority: String?
    ) async throws -> String? {
        guard let text = query.apiToken, !SignatureHeaders.present(in: headers) else { return nil }
        let reader = try await accounts.reader()
        guard let container = try await reader.container(named: name) else { return nil }
        var id = DevelopmentToken.id
        if !DevelopmentToken.works(text, dev: dev, environment: environment) {
            guard let token = try await reader.apiToken(text), token.container == container.id,
                token.environment == environment
            else { return nil }
            id = token.id
        }
        let request = SignInRequest(
            container: container.id, environment: environment, apiToken: id,
            origin: headers[.origin].flatMap { WebOrigin($0)?.text },
            ticket: SignInTicket(id: RandomUUID.make(.secrets), expires: signIn.now() + SignInLinks.lifetime))
        return signIn.url(for: request, authority: authority)
    }
}
