/// The one error type: a code of the wire protocol, a reason a person can act on, and when to come back.
///
/// The codes and what they mean are reference A §9.3; the HTTP status of each is the server's to know.
package struct ServerError: Error, Hashable, Sendable {
    package enum Code: String, CaseIterable, Sendable {
        case accessDenied = "ACCESS_DENIED"
        case atomicError = "ATOMIC_ERROR"
        case authenticationFailed = "AUTHENTICATION_FAILED"
        case authenticationRequired = "AUTHENTICATION_REQUIRED"
        case badRequest = "BAD_REQUEST"
        case conflict = "CONFLICT"
        case exists = "EXISTS"
        case internalError = "INTERNAL_ERROR"
        case notFound = "NOT_FOUND"
        case quotaExceeded = "QUOTA_EXCEEDED"
        case throttled = "THROTTLED"
        case tryAgainLater = "TRY_AGAIN_LATER"
        case validatingReferenceError = "VALIDATING_REFERENCE_ERROR"
        case zoneNotFound = "ZONE_NOT_FOUND"
    }

    package let code: Code
    package let reason: String
    /// Seconds after which the same request may succeed; only with errors that pass.
    package let retryAfter: Int?
    /// With a sync token of a time that was lost when the environment was restored: when the last change was made that
    /// the server still has from then.
    package let restoredTo: Timestamp?

    package init(_ code: Code, _ reason: String, retryAfter: Int? = nil, restoredTo: Timestamp? = nil) {
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
        self.restoredTo = restoredTo
    }

    package static func badRequest(_ reason: String) -> ServerError { ServerError(.badRequest, reason) }
}
