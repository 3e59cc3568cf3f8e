import CloudAccounts
import Synchronization

/// The server's origin as clients see it. A class, since each request refers to it.
package final class PublicOrigin: Sendable {
    private let configured: String?
    private let fallback: String
    private let isForDevelopment: Bool
    private let lastCalled = LastCalled()
    /// The value of `Strict-Transport-Security`; nil if clients come without TLS.
    ///
    /// Sent on each answer, since only the proxy that ends TLS could tell them apart. Browsers ignore the header over plain
    /// HTTP (RFC 6797 §8.1).
    package let strictTransport: String?

    package init(_ settings: HTTPSettings) {
        configured = settings.publicURL
        strictTransport =
            settings.publicURL?.lowercased().hasPrefix("https://") == true
                && settings.strictTransportAge > .zero
            ? "max-age=\(settings.strictTransportAge.components.seconds)" : nil
        isForDevelopment = settings.dev
        fallback = "http://\(settings.host):\(settings.port)"
    }

    /// Scheme, host and port without a trailing slash: the configured URL, else from the request.
    ///
    /// - Parameter authority: the request's host and port; ignored if malformed.
    package func text(authority: String?) -> String {
        configured ?? authority.flatMap(lastCalled.origin) ?? fallback
    }

    /// Caches the last origin: consecutive requests mostly name the same host, and parsing costs time.
    private final class LastCalled: Sendable {
        private let last = Mutex<(authority: String, origin: String)?>(nil)

        func origin(_ authority: String) -> String? {
            if let known = last.withLock({ $0?.authority == authority ? $0?.origin : nil }) { return known }
            guard let origin = WebOrigin("http://" + authority)?.text else { return nil }
            last.withLock { $0 = (authority, origin) }
            return origin
        }
    }

    /// Whether clients use HTTPS; nil without a public URL.
    package var isHTTPS: Bool? { configured.map { $0.lowercased().hasPrefix("https://") } }

    /// True if cookies need the Secure attribute. Without a public URL a proxy may have ended TLS; the browser's Origin
    /// header then decides.
    package func isSecure(_ request: Request) -> Bool {
        (configured ?? request.headers[.origin])?.lowercased().hasPrefix("https://") == true
    }

    /// Origin and host of the public URL; nil if not configured. For content sent to third parties: a request's Host header
    /// must not decide its links.
    package var published: (origin: String, host: String)? {
        configured.map { origin in
            (origin, origin.split(separator: "/").last?.split(separator: ":").first.map(String.init) ?? "localhost")
        }
    }

    /// The origin of links in mails; nil if not configured. A development server uses its listening address, since its mail
    /// stays on the machine.
    package var forMail: String? { configured ?? (isForDevelopment ? fallback : nil) }

    /// True if a page of this server sent the request, according to browser headers; false without them. Without a public
    /// URL a proxy may have ended TLS, so both schemes match.
    package func sent(_ request: Request) -> Bool {
        if let site = request.headers[.fetchSite], site != "same-origin" { return false }
        guard let origin = request.headers[.origin].flatMap({ WebOrigin($0) }) else { return false }
        if let configured { return origin == WebOrigin(configured) }
        guard let authority = request.head.authority else { return false }
        return ["http://", "https://"].contains { WebOrigin($0 + authority) == origin }
    }
}
