/// The cookies that browsers keep for this server's pages.
///
/// Over https their names begin with `__Host-`: a browser takes such a cookie from this very host, over TLS and for all
/// of its paths only, so that no neighbour under the same domain puts another in its place.
extension PublicOrigin {
    private static let prefix = "__Host-"

    /// The value that the browser keeps under a name; nil for none.
    package func cookie(_ name: String, of request: Request) -> String? {
        // Without a public URL only the browser knows whether TLS was ended on the way, and not all it sends tells that.
        if isHTTPS != false, let value = request.cookie(Self.prefix + name) { return value }
        return isHTTPS == true ? nil : request.cookie(name)
    }

    /// A cookie to set on an answer.
    ///
    /// - Parameters:
    ///   - name: the name without a prefix.
    ///   - maxAge: seconds; nil for as long as the browser runs.
    ///   - path: where the cookie goes without TLS; with it, it goes everywhere.
    func cookie(
        _ name: String, _ value: String, for request: Request, maxAge: Int? = nil, path: String = "/",
        sameSite: Cookie.SameSite = .lax
    ) -> Cookie {
        let isSecure = isSecure(request)
        return Cookie(
            name: isSecure ? Self.prefix + name : name, value: value, maxAge: maxAge, path: isSecure ? "/" : path,
            isSecure: isSecure, sameSite: sameSite)
    }
}

extension PageCall {
    /// The value that the browser keeps under a name, without its prefix; nil for none.
    func cookie(_ name: String) -> String? { site.origin.cookie(name, of: request) }

    /// A cookie for this server's pages alone. It comes along when a link leads here from elsewhere, and never with
    /// a form or a script of another site.
    func cookie(_ name: String, _ value: String, maxAge: Duration? = nil) -> Cookie {
        site.origin.cookie(name, value, for: request, maxAge: maxAge.map { Int($0.components.seconds) })
    }
}
