public import Foundation

/// The error of a call, or of an item within a call. Codes have CloudKit's names and numbers.
public struct CKError: Error, Sendable {
    public enum Code: Int, Sendable, CaseIterable {
        case internalError = 1
        case partialFailure = 2
        case networkUnavailable = 3
        case networkFailure = 4
        case badContainer = 5
        case serviceUnavailable = 6
        case requestRateLimited = 7
        case missingEntitlement = 8
        case notAuthenticated = 9
        case permissionFailure = 10
        case unknownItem = 11
        case invalidArguments = 12
        case serverRecordChanged = 14
        case serverRejectedRequest = 15
        case assetFileNotFound = 16
        case assetFileModified = 17
        case constraintViolation = 19
        case operationCancelled = 20
        case changeTokenExpired = 21
        case batchRequestFailed = 22
        case zoneBusy = 23
        case badDatabase = 24
        case quotaExceeded = 25
        case zoneNotFound = 26
        case limitExceeded = 27
        case userDeletedZone = 28
        case referenceViolation = 31
        case participantMayNeedVerification = 33
        case serverResponseLost = 34
        case assetNotAvailable = 35
        case accountTemporarilyUnavailable = 36
    }

    public let code: Code
    /// An explanation, written by the server or this library.
    public let reason: String
    /// Seconds until the call may be repeated.
    public var retryAfterSeconds: Double?
    /// The failed request's ID in the server's log.
    public var requestID: String?
    /// The sign-in page, for ``Code/notAuthenticated``.
    public var redirectURL: URL?
    /// For ``Code/serverRecordChanged``: the server's current record, never nil.
    public var serverRecord: CKRecord?
    /// The record that failed to save.
    public var clientRecord: CKRecord?
    /// The record as last fetched; without fields if those are unknown.
    public var ancestorRecord: CKRecord?
    /// For ``Code/changeTokenExpired`` after a restore: the time of the last surviving change.
    public var restoredTo: Date?

    public init(_ code: Code, _ reason: String, retryAfterSeconds: Double? = nil) {
        self.code = code
        self.reason = reason
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// Whether the same call may succeed later without intervention.
    public var isTransient: Bool {
        switch code {
        case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited, .zoneBusy,
            .serverResponseLost, .accountTemporarilyUnavailable:
            true
        default: false
        }
    }

    /// Whether any other request would fail alike: no network, server unavailable, not signed in.
    var isGeneral: Bool {
        isTransient && code != .zoneBusy || code == .notAuthenticated || code == .operationCancelled
    }
}

extension CKError: CustomStringConvertible, LocalizedError {
    public var description: String { "\(code): \(reason)" }
    public var errorDescription: String? { reason }
}
