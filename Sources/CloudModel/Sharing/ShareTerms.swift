/// A share member's permission for the shared records (reference B §9.3).
package enum SharePermission: String, CaseIterable, Hashable, Sendable {
    case none = "NONE"
    case readOnly = "READ_ONLY"
    case readWrite = "READ_WRITE"
}

/// A participant's way into a share (reference B §9.3).
package enum ParticipantType: String, CaseIterable, Hashable, Sendable {
    case owner = "OWNER"
    case administrator = "ADMINISTRATOR"
    /// Invited by the owner.
    case user = "USER"
    /// Joined by the link.
    case publicUser = "PUBLIC_USER"

    /// Also accepts the older name of `USER` exported by CloudKit JS (reference B §9.2).
    package init?(wire text: String) {
        if text == "PRIVATE_USER" { self = .user } else { self.init(rawValue: text) }
    }
}

/// The status of an invitation (reference B §9.3).
package enum AcceptanceStatus: String, CaseIterable, Hashable, Sendable {
    case invited = "INVITED"
    case accepted = "ACCEPTED"
    case removed = "REMOVED"

    /// Also accepts the older name of `INVITED` and the newer name of `REMOVED`.
    package init?(wire text: String) {
        switch text {
        case "PENDING": self = .invited
        case "UNSUBSCRIBED": self = .removed
        default: self.init(rawValue: text)
        }
    }
}

extension RecordType {
    /// The built-in type of share records (reference B §9.1).
    package static let share = "cloudkit.share"
}
