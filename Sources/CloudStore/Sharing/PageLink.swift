import CloudModel

/// What an owner has settled about the page of something shared. A page nobody settled anything about has none.
package struct PageLink: Hashable, Sendable {
    /// The page's id: a share's short GUID, or the name of a public record.
    package let id: String
    /// User record name of whoever settled it; it counts for what they own only.
    package let owner: String
    /// Milliseconds since 1970-01-01Z from which the page is gone.
    package var expires: Int64?
    /// Whether what is behind the page is deleted once it has expired.
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

    /// What a cookie for this page is bound to: another password makes old cookies worthless.
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

    /// Whether there is a page to see at this time, in milliseconds since 1970-01-01Z.
    package func isOpen(at now: Int64) -> Bool { !isTakenDown && !hasExpired(at: now) }

    package func hasExpired(at now: Int64) -> Bool { expires.map { $0 <= now } ?? false }
}
