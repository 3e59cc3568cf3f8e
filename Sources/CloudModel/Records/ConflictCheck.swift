/// A comparison of a sent change tag with the stored tag.
package struct ConflictCheck: Hashable, Sendable {
    /// The tag sent; nil if the request has no tag, or an invalid tag.
    package let sent: String?
    /// The stored tag; nil if there is no record.
    package let stored: String?
    /// The stored record's type and name.
    package var recordType: String?
    package var recordName: String?
    /// The stored record's zone.
    package var zone: ZoneID?
    /// The author and time of the last change.
    package var changedBy: String?
    package var changed: Timestamp?
    /// Names of the fields that the request would change, at most ``mostFields``.
    package var fields: [String] = []

    /// Limit on the names in ``fields``.
    package static let mostFields = 20

    package init(sent: String?, stored: String?) {
        self.sent = sent.flatMap { Self.isEarlier($0, than: stored) ? $0 : nil }
        self.stored = stored
    }

    /// Whether the tag can be an earlier tag of the record. Other texts, which a client may choose freely, are not kept.
    private static func isEarlier(_ tag: String, than stored: String?) -> Bool {
        guard tag.utf8.count <= 20, let stored = stored.flatMap(ChangeTag.position),
            let position = ChangeTag.position(tag)
        else { return false }
        return position >= 0 && position <= stored
    }

    /// Both tags and the author of the stored version: `tag 4, is 6 by _omar`.
    package var tagText: String {
        let tags = stored.map { "tag \(sent ?? "none"), is \($0)" } ?? "tag \(sent ?? "none"), and no such record"
        return tags + (changedBy.map { " by \($0)" } ?? "")
    }

    package var text: String {
        fields.isEmpty ? tagText : "\(tagText); differs in \(fields.joined(separator: ", "))"
    }
}
