/// The header names that the server reads or writes.
extension HTTPField.Name {
    fileprivate static func known(_ name: String) -> Self { Self(known: KnownFields.place(of: name)) }

    package static let accept = known("Accept")
    package static let acceptEncoding = known("Accept-Encoding")
    package static let acceptLanguage = known("Accept-Language")
    package static let acceptRanges = known("Accept-Ranges")
    package static let allow = known("Allow")
    package static let authorization = known("Authorization")
    package static let cacheControl = known("Cache-Control")
    package static let connection = known("Connection")
    package static let contentDisposition = known("Content-Disposition")
    package static let contentEncoding = known("Content-Encoding")
    package static let contentLength = known("Content-Length")
    package static let contentRange = known("Content-Range")
    package static let contentType = known("Content-Type")
    package static let cookie = known("Cookie")
    package static let date = known("Date")
    package static let eTag = known("ETag")
    package static let expect = known("Expect")
    package static let host = known("Host")
    package static let lastEventID = known("Last-Event-ID")
    package static let location = known("Location")
    package static let origin = known("Origin")
    package static let range = known("Range")
    package static let retryAfter = known("Retry-After")
    package static let fetchSite = known("Sec-Fetch-Site")
    package static let server = known("Server")
    package static let setCookie = known("Set-Cookie")
    package static let strictTransportSecurity = known("Strict-Transport-Security")
    package static let traceparent = known("traceparent")
    package static let upgrade = known("Upgrade")
    package static let userAgent = known("User-Agent")
    package static let vary = known("Vary")
    package static let xContentTypeOptions = known("X-Content-Type-Options")
    package static let forwardedFor = known("X-Forwarded-For")
    package static let frameOptions = known("X-Frame-Options")
    package static let robots = known("X-Robots-Tag")

    /// Names of cross-origin requests and answers.
    package static let accessControl = AccessControlNames()
    /// Names of policies for browsers.
    package static let policy = PolicyNames()
    /// Names of conditional requests.
    package static let condition = ConditionNames()
    /// Names of CloudKit Web Services.
    package static let apple = AppleNames()
    /// This server's own names.
    package static let cumulus = CumulusNames()
}

/// Names of cross-origin requests and answers.
package struct AccessControlNames: Sendable {
    package let allowCredentials = HTTPField.Name.known("Access-Control-Allow-Credentials")
    package let allowHeaders = HTTPField.Name.known("Access-Control-Allow-Headers")
    package let allowMethods = HTTPField.Name.known("Access-Control-Allow-Methods")
    package let allowOrigin = HTTPField.Name.known("Access-Control-Allow-Origin")
    package let exposeHeaders = HTTPField.Name.known("Access-Control-Expose-Headers")
    package let maxAge = HTTPField.Name.known("Access-Control-Max-Age")
    package let requestHeaders = HTTPField.Name.known("Access-Control-Request-Headers")
    package let requestMethod = HTTPField.Name.known("Access-Control-Request-Method")
}

/// Names of policies for browsers.
package struct PolicyNames: Sendable {
    package let contentSecurity = HTTPField.Name.known("Content-Security-Policy")
    package let crossOriginResource = HTTPField.Name.known("Cross-Origin-Resource-Policy")
    package let permissions = HTTPField.Name.known("Permissions-Policy")
    package let referrer = HTTPField.Name.known("Referrer-Policy")
}

/// Names of conditional requests.
package struct ConditionNames: Sendable {
    package let match = HTTPField.Name.known("If-Match")
    package let noneMatch = HTTPField.Name.known("If-None-Match")
    package let range = HTTPField.Name.known("If-Range")
}

/// Names of CloudKit Web Services.
package struct AppleNames: Sendable {
    package let cloudKitVersion = HTTPField.Name.known("X-Apple-CloudKit-Version")
    package let webAuthToken = HTTPField.Name.known("X-Apple-CloudKit-Web-Auth-Token")
    package let requestUUID = HTTPField.Name.known("X-Apple-Request-UUID")
}

/// This server's own names.
package struct CumulusNames: Sendable {
    package let fault = HTTPField.Name.known("X-Cumulus-Fault")
    package let live = HTTPField.Name.known("X-Cumulus-Live")
    package let request = HTTPField.Name.known("X-Cumulus-Request")
}
