package import CloudModel

/// A client's self-assigned ID.
package enum ClientID {
    /// Limit on client IDs, in bytes.
    private static let longest = 255

    /// Validates an ID; nil if empty.
    package static func checked(_ id: String?) throws(ServerError) -> String? {
        guard let id, !id.isEmpty else { return nil }
        guard id.utf8.count <= longest else {
            throw .badRequest("clientId has \(id.utf8.count) bytes, at most \(longest) are allowed", .limit(longest))
        }
        guard !id.hasNullCharacter else { throw .badRequest("clientId must not contain the character U+0000") }
        return id
    }
}
