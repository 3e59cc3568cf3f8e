/// CORS headers (reference B §2.3).
package enum CrossOrigin {
    /// Headers on each API answer, encoded once by ``HTTP1Answer``.
    static let always = [
        HTTPField(name: .apple.cloudKitVersion, value: "1.0"),
        HTTPField(
            name: .accessControl.exposeHeaders,
            value:
                "X-Apple-Request-UUID,X-Apple-CloudKit-Web-Auth-Token,X-Apple-CloudKit-Version,X-Cumulus-Request,Via,"
                + "Accept-Ranges,Allow,Content-Disposition,Content-Encoding,Content-Length,Content-Range,Date,ETag,"
                + "Retry-After"),
        HTTPField(name: .vary, value: "Origin"),
    ]
    static let anyOrigin = HTTPField(name: .accessControl.allowOrigin, value: "*")
    package static let credentials = HTTPField(name: .accessControl.allowCredentials, value: "true")

    /// Decorates errors as well: without CORS headers a page could not see the sign-in error.
    ///
    /// - Parameter request: the request's headers.
    package static func decorate(_ response: inout Response, for request: HTTPFields) {
        response.common.crossOrigin = request[.origin].map { .origin($0) } ?? .any
    }

    /// Answers `OPTIONS` on any path.
    package static func preflight(_ request: Request) -> Response {
        Response(status: .ok, headers: preflight(request.headers))
    }

    /// CORS headers that answer a preflight with the given headers.
    package static func preflight(_ request: HTTPFields) -> HTTPFields {
        var headers: HTTPFields = [
            .accessControl.allowMethods: "GET, POST, PUT, DELETE, OPTIONS",
            .accessControl.maxAge: "86400",
        ]
        if let wanted = request[.accessControl.requestHeaders] { headers[.accessControl.allowHeaders] = wanted }
        return headers
    }
}
