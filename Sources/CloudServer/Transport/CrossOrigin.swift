/// The headers that a browser needs to let a page of another origin see an answer (reference B §2.3).
enum CrossOrigin {
    /// The headers that every answer to a program has, in bytes made once (``HTTP1Answer``).
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
    static let credentials = HTTPField(name: .accessControlAllowCredentials, value: "true")

    /// On every answer, errors included: without it a page cannot even see that it should sign in.
    ///
    /// - Parameter request: the headers of the request.
    static func decorate(_ response: inout Response, for request: HTTPFields) {
        response.common.crossOrigin = request[.origin].map { .origin($0) } ?? .any
    }

    /// The answer to `OPTIONS` on any path.
    static func preflight(_ request: Request) -> Response {
        Response(status: .ok, headers: preflight(request.headers))
    }

    /// The headers of that answer, by those of the request.
    static func preflight(_ request: HTTPFields) -> HTTPFields {
        var headers: HTTPFields = [
            .accessControlAllowMethods: "GET, POST, PUT, DELETE, OPTIONS",
            .accessControlMaxAge: "86400",
        ]
        if let wanted = request[.accessControlRequestHeaders] { headers[.accessControlAllowHeaders] = wanted }
        return headers
    }
}
