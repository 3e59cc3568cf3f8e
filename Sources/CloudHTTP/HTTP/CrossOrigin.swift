/// CORS headers (reference B §2.3).
package enum CrossOrigin {
    /// Headers on each API answer, encoded once by ``HTTP1Answer``.
    static let always = [
        HTTPField(name: .cloudKitVersion, value: "1.0"),
        HTTPField(
            name: .accessControlExposeHeaders,
            value:
                "X-Apple-Request-UUID,X-Apple-CloudKit-Web-Auth-Token,X-Apple-CloudKit-Version,X-Cumulus-Request,Via,"
                + "Accept-Ranges,Allow,Content-Disposition,Content-Encoding,Content-Length,Content-Range,Date,ETag,"
                + "Retry-After"),
        HTTPField(name: .vary, value: "Origin"),
    ]
    static let anyOrigin = HTTPField(name: .accessControlAllowOrigin, value: "*")
    package static let credentials = HTTPField(name: .accessControlAllowCredentials, value: "true")

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
            .accessControlAllowMethods: "GET, POST, PUT, DELETE, OPTIONS",
            .accessControlMaxAge: "86400",
        ]
        if let wanted = request[.accessControlRequestHeaders] { headers[.accessControlAllowHeaders] = wanted }
        return headers
    }
}
