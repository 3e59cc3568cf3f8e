import Foundation

extension CKError {
    /// The error of an unsuccessful answer.
    init(_ answer: HTTPAnswer) {
        if let body = try? JSON(parsing: answer.body), body["serverErrorCode"] != nil {
            self.init(wire: body)
        } else {
            self.init(Self.code(status: answer.status), "The server answered \(answer.status) without a reason.")
        }
        if retryAfterSeconds == nil { retryAfterSeconds = answer.headers["retry-after"].flatMap(Double.init) }
        requestID = requestID ?? answer.headers["x-apple-request-uuid"]
    }

    /// Parses an error dictionary, of an answer or of an item.
    init(wire: JSON) {
        let reason = wire["reason"]?.string ?? "The server gave no reason."
        self.init(Self.code(wire["serverErrorCode"]?.string ?? "", reason), reason)
        retryAfterSeconds = wire["retryAfter"]?.double
        requestID = wire["uuid"]?.string
        redirectURL = (wire["redirectURL"]?.string).flatMap(URL.init(string:))
        restoredTo = wire["restoredTo"]?.double.map { Date(timeIntervalSince1970: $0 / 1000) }
    }

    private static func code(_ code: String, _ reason: String) -> Code {
        switch code {
        case "CONFLICT", "EXISTS": .serverRecordChanged
        case "NOT_FOUND": .unknownItem
        case "ZONE_NOT_FOUND": .zoneNotFound
        case "ATOMIC_ERROR": .batchRequestFailed
        case "ACCESS_DENIED": .permissionFailure
        case "AUTHENTICATION_REQUIRED": .notAuthenticated
        case "AUTHENTICATION_FAILED": .badContainer
        case "THROTTLED": .requestRateLimited
        case "ZONE_BUSY": .zoneBusy
        case "TRY_AGAIN_LATER": .serviceUnavailable
        case "QUOTA_EXCEEDED": .quotaExceeded
        case "VALIDATING_REFERENCE_ERROR": .referenceViolation
        case "UNIQUE_FIELD_ERROR": .constraintViolation
        case "BAD_REQUEST": badRequest(reason)
        default: .serverRejectedRequest
        }
    }

    /// `BAD_REQUEST` covers many faults; the reason's text identifies two of them.
    private static func badRequest(_ reason: String) -> Code {
        if reason.contains("Unknown sync continuation type") { return .changeTokenExpired }
        if reason.contains("maximum number of items") { return .limitExceeded }
        return .invalidArguments
    }

    private static func code(status: Int) -> Code {
        switch status {
        case 401: .badContainer
        case 403: .permissionFailure
        case 404: .unknownItem
        case 413: .limitExceeded
        case 421: .notAuthenticated
        case 429: .requestRateLimited
        case 500...: .serviceUnavailable
        default: .serverRejectedRequest
        }
    }
}
