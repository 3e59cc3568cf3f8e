import CloudAccounts
package import CloudHTTP
package import CloudModel

/// Protects the sessions that `--dev` gives away from pages of other sites.
///
/// Browsers name the requesting page in `Origin` and `Sec-Fetch-Site`. A page whose host name resolves to this machine
/// (DNS rebinding) passes that check, so `Host` is checked as well. Programs send neither header, and are admitted. A
/// proxy on this machine forwards requests from elsewhere, so requests with proxy headers are refused unless remote
/// access is allowed; a proxy without such headers is not detected.
package struct DevelopmentGate: Sendable {
    private let listening: String
    private let published: WebOrigin?
    private let allowsRemote: Bool

    package init(_ settings: HTTPSettings) {
        listening = settings.host.lowercased()
        allowsRemote = settings.devAllowsRemote
        published = settings.publicURL.flatMap { WebOrigin($0) }
    }

    /// The reason why a request is refused a session; nil when permitted.
    package func fault(_ request: HTTPRequest) -> Reason? { placeFault(request) ?? siteFault(request) }

    /// The reason why a request is not addressed to this server directly; nil when it is. Pages of other sites pass
    /// this check.
    package func placeFault(_ request: HTTPRequest) -> Reason? {
        if !allowsRemote, let field = ForwardedRequest.field(request.headerFields) {
            return
                "\(field.canonicalName.prefix(40)) says that a proxy has passed this request on, and --dev is for this machine "
                + "alone: call the server itself, or start it with --dev-allow-remote"
        }
        let authority = request.authority ?? ""
        guard isOwn(authority) else {
            return "Host '\(authority.prefix(100))' is not this server: call it by localhost, by an IP address or by "
                + "its publicUrl"
        }
        return nil
    }

    /// The reason why the requesting page is foreign; nil for this server's pages.
    private func siteFault(_ request: HTTPRequest) -> Reason? {
        if let site = request.headerFields[.fetchSite], site != "same-origin", site != "none" {
            return "Sec-Fetch-Site is \(site.prefix(40)): only pages of this server may sign anybody in"
        }
        guard let text = request.headerFields[.origin] else { return nil }
        let own =
            ["http://", "https://"].compactMap { WebOrigin($0 + (request.authority ?? "")) }
            + [published].compactMap(\.self)
        guard let origin = WebOrigin(text), own.contains(origin) else {
            return "Origin '\(text.prefix(100))' is another site: only pages of this server may sign anybody in"
        }
        return nil
    }

    private func isOwn(_ authority: String) -> Bool {
        guard let origin = WebOrigin("http://" + authority) else { return false }
        if let published, published.host == origin.host { return true }
        let host = origin.host
        // Unlike a name, an IP address cannot be rebound.
        return host == "localhost" || host.hasSuffix(".localhost") || host == listening || host.hasPrefix("[")
            || Self.isIPv4(host)
    }

    private static func isIPv4(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
    }
}
