import CloudStore
import HTTPTypes
package import Hummingbird

/// The origin clients reach this server by.
package struct PublicOrigin: Sendable {
    private let configured: String?
    private let fallback: String

    package init(_ configuration: ServerConfiguration) {
        configured = configuration.publicURL
        fallback = "http://\(configuration.host):\(configuration.port)"
    }

    /// Scheme, host and port, without a slash at the end: what is set, else what the client called.
    ///
    /// - Parameter authority: host and port as the client named them; ignored when they are none.
    package func text(authority: String?) -> String {
        configured ?? authority.flatMap { WebOrigin("http://" + $0)?.text } ?? fallback
    }

    /// Whether browsers may send cookies over TLS only.
    package var isSecure: Bool { configured?.lowercased().hasPrefix("https://") == true }

    /// Whether a page of this server sent the request, by what browsers tell. A request that tells nothing is not
    /// taken for one of ours. Without a public URL set, a proxy may have taken off the TLS, so either scheme will do.
    package func sent(_ request: Request) -> Bool {
        if let site = request.headers[.fetchSite], site != "same-origin" { return false }
        guard let origin = request.headers[.origin].flatMap({ WebOrigin($0) }) else { return false }
        if let configured { return origin == WebOrigin(configured) }
        guard let authority = request.head.authority else { return false }
        return ["http://", "https://"].contains { WebOrigin($0 + authority) == origin }
    }
}
