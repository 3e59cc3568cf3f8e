/// The only error type: a protocol code, a reason with a remedy, and the time to retry.
///
/// Reference A §9.3 lists the codes; the server target maps each to an HTTP status. Errors compare equal when a client cannot
/// distinguish them: the cause, kept from clients, does not count.
package struct ServerError: Error, Sendable {
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
    /// The sentence as sent to clients and logged.
    package let sentence: Reason
    /// The refusing decision.
    package let cause: Cause
    /// Seconds until a retry may succeed; nil for permanent errors.
    package let retryAfter: Int?
    /// For a sync token from history lost in a restore of the environment: the time of the last surviving change.
    package let restoredTo: Timestamp?

    package init(
        _ code: Code, _ sentence: Reason, _ cause: Cause, retryAfter: Int? = nil, restoredTo: Timestamp? = nil
    ) {
        self.code = code
        self.sentence = sentence
        self.cause = cause
        self.retryAfter = retryAfter
        self.restoredTo = restoredTo
    }

    /// A `BAD_REQUEST`.
    ///
    /// - Parameter cause: by default, invalid input.
    package static func badRequest(_ sentence: Reason, _ cause: Cause = .input) -> ServerError {
        ServerError(.badRequest, sentence, cause)
    }

    package var reason: String { sentence.text }

    /// The same error with a more specific cause.
    package func because(_ cause: Cause) -> ServerError {
        ServerError(code, sentence, cause, retryAfter: retryAfter, restoredTo: restoredTo)
    }
}

extension ServerError: Hashable {
    package static func == (one: ServerError, other: ServerError) -> Bool {
        one.code == other.code && one.reason == other.reason && one.retryAfter == other.retryAfter
            && one.restoredTo == other.restoredTo
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(reason)
    }
}
