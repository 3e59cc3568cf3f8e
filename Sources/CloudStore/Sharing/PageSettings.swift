package import CloudModel

/// Settings of an owner for the page of something shared. A page nobody settled anything about has none.
package struct PageSettings: Hashable, Sendable {
    /// The page's id: a share's short GUID, or the name of a public record.
    package let id: String
    /// User record name of whoever settled it; it counts for what they own only.
    package let owner: String
    /// The time when the page goes; nil for never.
    package var expires: Timestamp?
    /// True if what is behind the page is deleted once it has expired.
    package var deletesAfterExpiry = false
    package var isTakenDown = false
    /// Names of the records that are shown; nil for all.
    package var items: [String]?
    var password: PasswordHash?

    package init(id: String, owner: String) {
        self.id = id
        self.owner = owner
    }

    package var hasPassword: Bool { password != nil }

    /// The value that a cookie for this page is bound to: another password makes old cookies worthless.
    package var passwordMark: String { password?.text ?? "" }

    /// Characters of a password.
    package static let longestPassword = 200

    static func check(_ password: String) throws(ServerError) {
        guard (1...longestPassword).contains(password.count), password.utf8.count <= PasswordWork.longest else {
            throw .badRequest(
                "password: must have 1 to \(longestPassword) characters, and at most \(PasswordWork.longest) bytes")
        }
        try PasswordRules.refuseSimple(password)
    }

    /// Returns true if there is a page to see at this time.
    package func isOpen(at now: Timestamp) -> Bool { !isTakenDown && !hasExpired(at: now) }

    package func hasExpired(at now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }
}
