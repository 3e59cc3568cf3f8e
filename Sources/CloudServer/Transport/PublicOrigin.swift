import CloudStore
import Synchronization

/// The origin clients reach this server by.
package struct PublicOrigin: Sendable {
    private let configured: String?
    private let fallback: String
    private let isForDevelopment: Bool
    private let lastCalled = LastCalled()
    /// The value of `Strict-Transport-Security` in answers; nil where clients come without TLS.
    ///
    /// On every answer, because the proxy that ends TLS is the only one to know of it. Browsers take it for what it is
    /// on those that came over TLS alone (RFC 6797 §8.1).
    package let strictTransport: String?

    package init(_ configuration: ServerConfiguration) {
        configured = configuration.publicURL
        strictTransport =
            configuration.publicURL?.lowercased().hasPrefix("https://") == true
                && configuration.strictTransportAge > .zero
            ? "max-age=\(configuration.strictTransportAge.components.seconds)" : nil
        isForDevelopment = configuration.dev
        fallback = "http://\(configuration.host):\(configuration.port)"
    }

    /// Scheme, host and port, without a slash at the end: what is set, else what the client called.
    ///
    /// - Parameter authority: host and port as the client named them; ignored when they are none.
    package func text(authority: String?) -> String {
        configured ?? authority.flatMap(lastCalled.origin) ?? fallback
    }

    /// Keeps the last origin. Clients rarely call the server something else from one request to the next, and taking
    /// the name apart takes a while.
    private final class LastCalled: Sendable {
        private let last = Mutex<(authority: String, origin: String)?>(nil)

        func origin(_ authority: String) -> String? {
            if let known = last.withLock({ $0?.authority == authority ? $0?.origin : nil }) { return known }
            guard let origin = WebOrigin("http://" + authority)?.text else { return nil }
            last.withLock { $0 = (authority, origin) }
            return origin
        }
    }

    /// True where clients come over https, false where they do not, nil where only they know.
    var isHTTPS: Bool? { configured.map { $0.lowercased().hasPrefix("https://") } }

    /// Returns true if the browser should send its cookies over TLS only. Without a public URL a proxy may have ended
    /// TLS; then the origin that the browser names decides.
    package func isSecure(_ request: Request) -> Bool {
        (configured ?? request.headers[.origin])?.lowercased().hasPrefix("https://") == true
    }

    /// The host of the public URL, and the URL; nil when none is set. For what goes to others than the one who asks,
    /// whose word for what the server is called is not to be taken.
    package var published: (origin: String, host: String)? {
        configured.map { origin in
            (origin, origin.split(separator: "/").last?.split(separator: ":").first.map(String.init) ?? "localhost")
        }
    }

    /// The origin that messages to people lead to; nil when none is set. A development server's is the address that it
    /// listens at, since its messages stay on the machine.
    package var forMail: String? { configured ?? (isForDevelopment ? fallback : nil) }

    /// Returns true if a page of this server sent the request, by the browser's headers. A request without these
    /// headers counts as one of another site. Without a public URL a proxy may have ended TLS, so either scheme will
    /// do.
    package func sent(_ request: Request) -> Bool {
        if let site = request.headers[.fetchSite], site != "same-origin" { return false }
        guard let origin = request.headers[.origin].flatMap({ WebOrigin($0) }) else { return false }
        if let configured { return origin == WebOrigin(configured) }
        guard let authority = request.head.authority else { return false }
        return ["http://", "https://"].contains { WebOrigin($0 + authority) == origin }
    }
}
