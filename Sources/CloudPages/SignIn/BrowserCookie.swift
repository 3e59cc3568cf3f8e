package import CloudHTTP

/// The cookies of this server's pages.
///
/// Over HTTPS their names begin with `__Host-`: browsers accept such a cookie only from this exact host, over TLS and
/// for the path `/`, so other hosts of the domain cannot overwrite it.
extension PublicOrigin {
    private static let prefix = "__Host-"

    /// A cookie's value by unprefixed name; nil for none.
    package func cookie(_ name: String, of request: Request) -> String? {
        // Without a public URL the server cannot tell whether a proxy ended TLS, so both names are tried.
        if isHTTPS != false, let value = request.cookie(Self.prefix + name) { return value }
        return isHTTPS == true ? nil : request.cookie(name)
    }

    /// A cookie to set on an answer.
    ///
    /// - Parameters:
    ///   - name: the name without a prefix.
    ///   - maxAge: the lifetime in seconds; nil for the browser session.
    ///   - path: the cookie's path without TLS; with TLS the path is always `/`.
    package func cookie(
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
    /// A cookie's value by unprefixed name; nil for none.
    package func cookie(_ name: String) -> String? { site.origin.cookie(name, of: request) }

    /// A cookie for this server's pages. Browsers send it when following a link from another site, but not with another
    /// site's forms or scripts.
    package func cookie(_ name: String, _ value: String, maxAge: Duration? = nil) -> Cookie {
        site.origin.cookie(name, value, for: request, maxAge: maxAge.map { Int($0.components.seconds) })
    }
}
