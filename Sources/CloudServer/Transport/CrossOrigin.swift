import HTTPTypes
import Hummingbird

/// The headers that a browser needs to let a page of another origin see an answer (reference B §2.3).
enum CrossOrigin {
    // Made once, since each that is made is searched for bytes that no header may have.
    private static let always = [
        HTTPField(
            name: .accessControlExposeHeaders,
            value:
                "X-Apple-Request-UUID,X-Apple-CloudKit-Web-Auth-Token,X-Apple-CloudKit-Version,X-Cumulus-Request,Via,"
                + "Accept-Ranges,Allow,Content-Disposition,Content-Encoding,Content-Length,Content-Range,Date,ETag,"
                + "Retry-After"),
        HTTPField(name: .vary, value: "Origin"),
    ]
    private static let anyOrigin = HTTPField(name: .accessControlAllowOrigin, value: "*")

    /// On every answer, errors included: without it a page cannot even see that it should sign in.
    static func decorate(_ response: inout Response, for request: Request) {
        decorate(&response.headers, for: request.headers)
    }

    /// - Parameters:
    ///   - fields: of the answer.
    ///   - request: the headers of the request.
    static func decorate(_ fields: inout HTTPFields, for request: HTTPFields) {
        fields.append(contentsOf: always)
        guard let origin = request[.origin] else {
            fields.append(anyOrigin)
            return
        }
        fields[.accessControlAllowOrigin] = origin
        fields[.accessControlAllowCredentials] = "true"
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

extension HTTPField.Name {
    // The names are constants that are tokens, which is all the initialiser asks for.
    static let requestUUID = HTTPField.Name("X-Apple-Request-UUID")!
    static let cloudKitVersion = HTTPField.Name("X-Apple-CloudKit-Version")!
    static let webAuthToken = HTTPField.Name("X-Apple-CloudKit-Web-Auth-Token")!
}
