package import CloudAccounts
package import CloudModel

/// An owner's settings for the page of a share or a public record. A page without settings has no row.
package struct PageSettings: Hashable, Sendable {
    /// The page's id: a share's short GUID, or the name of a public record.
    package let id: String
    /// User record name of the owner; the settings apply only to this owner's share or record.
    package let owner: String
    /// The expiry of the page; nil for never.
    package var expires: Timestamp?
    /// True if the page's contents are deleted after expiry.
    package var deletesAfterExpiry = false
    package var isTakenDown = false
    /// Names of the visible records; nil for all.
    package var items: [String]?
    package var password: PasswordHash?
    package var downloads = PageDownloads.originals
    /// True if visitors learn where pictures were taken.
    package var showsPlaces = false
    /// The tag of the language for visitors whose browsers ask for none; nil for the server's.
    package var language: String?
    package var layout = PageLayout.automatic

    package init(id: String, owner: String) {
        self.id = id
        self.owner = owner
    }

    package var hasPassword: Bool { password != nil }

    /// True if the link gives visitors less than members of the share get.
    package var isRestricted: Bool { items != nil || downloads != .originals }

    /// A value to which the page's cookies are bound, so that a new password invalidates them.
    package var passwordMark: String { password?.text ?? "" }

    /// The largest number of characters of a password.
    package static let longestPassword = 200

    static func check(_ password: String) throws(ServerError) {
        guard (1...longestPassword).contains(password.count), password.utf8.count <= PasswordWork.longest else {
            throw .badRequest(
                "password: must have 1 to \(longestPassword) characters, and at most \(PasswordWork.longest) bytes")
        }
        try PasswordRules.refuseSimple(password)
    }

    /// Returns true if the page is visible at this time.
    package func isOpen(at now: Timestamp) -> Bool { !isTakenDown && !hasExpired(at: now) }

    package func hasExpired(at now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }
}
