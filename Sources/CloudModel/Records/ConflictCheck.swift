/// A change tag held against the one that is there.
package struct ConflictCheck: Hashable, Sendable {
    /// The tag sent; nil for none, or for what is no tag of the record.
    package let sent: String?
    /// The tag that is there; nil for no record.
    package let stored: String?
    /// The record that is there. Both names are stored ones.
    package var recordType: String?
    package var recordName: String?
    /// The zone of that record.
    package var zone: ZoneID?
    /// The last change to it.
    package var changedBy: String?
    package var changed: Timestamp?
    /// Names of the fields that the request would change, some of them if they are many.
    package var fields: [String] = []

    /// Names of differing fields that a check holds.
    package static let mostFields = 20

    package init(sent: String?, stored: String?) {
        self.sent = sent.flatMap { Self.isEarlier($0, than: stored) ? $0 : nil }
        self.stored = stored
    }

    /// Whether a tag can be an earlier one of a record. What is none may be any text of a client's, and is not kept.
    private static func isEarlier(_ tag: String, than stored: String?) -> Bool {
        guard tag.utf8.count <= 20, let stored = stored.flatMap(ChangeTag.position),
            let position = ChangeTag.position(tag)
        else { return false }
        return position >= 0 && position <= stored
    }

    /// The tags, and who made the one that is there: `tag 4, is 6 by _omar`.
    package var tagText: String {
        let tags = stored.map { "tag \(sent ?? "none"), is \($0)" } ?? "tag \(sent ?? "none"), and no such record"
        return tags + (changedBy.map { " by \($0)" } ?? "")
    }

    package var text: String {
        fields.isEmpty ? tagText : "\(tagText); differs in \(fields.joined(separator: ", "))"
    }
}
