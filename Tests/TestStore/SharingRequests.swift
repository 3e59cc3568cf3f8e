package import CloudModel
package import CloudStore
import Testing

/// The text of an operation that shares `root`, or the whole zone when there is none.
package func sharing(
    _ root: String?, as name: String? = nil, tag: String? = nil, permission: String = "NONE",
    with users: [String] = [], access: String = "READ_WRITE"
) -> String {
    let participants = users.map {
        #"{"type":"USER","permission":"\#(access)","userIdentity":{"lookupInfo":{"userRecordName":"\#($0)"}}}"#
    }
    let tag = tag.map { #","recordChangeTag":"\#($0)""# } ?? ""
    let root = root.map { #""forRecord":{"recordName":"\#($0)"\#(tag)},"# } ?? ""
    let fallback = root.isEmpty ? ShareName.zoneWide : "share"
    return operation(
        .create, name ?? fallback, type: RecordType.share,
        more: #"\#(root)"publicPermission":"\#(permission)","participants":[\#(participants.joined(separator: ","))]"#)
}

package func parent(_ name: String?) -> String {
    name.map { #""parent":{"recordName":"\#($0)"}"# } ?? #""parent":null"#
}

extension EnvironmentStore {
    /// Shares a record as Alice.
    ///
    /// - Returns: the short GUID.
    @discardableResult
    package func share(
        _ root: String?, as name: String? = nil, zone: ZoneID = .notes, with users: [String] = [],
        permission: String = "NONE", access: String = "READ_WRITE"
    ) async throws -> String {
        var tag: String?
        if let root { tag = try await record(root, zone: zone)["recordChangeTag"]?.string }
        let result = try await modify(
            [
                sharing(
                    root, as: name ?? root.map { "share-\($0)" }, tag: tag, permission: permission, with: users,
                    access: access)
            ],
            zone: zone, atomic: true)
        let error = result.errors.compactMap(\.?.reason).joined()
        return try #require(result.outcomes[0].saved?["shortGUID"]?.string, "\(error)")
    }

    @discardableResult
    package func accept(_ guid: String, as user: String) async throws -> ShareMetadata {
        try await shares.accept(
            guid, as: Person(userRecordName: user), knowsPassword: false, clientID: nil, limits: Limits())
    }

    /// Everything a member hears of a zone since a token, page by page.
    package func news(
        _ user: String, since token: String? = nil, zone: ZoneID = .notes, limit: Int = 200
    ) async throws -> (names: [String], token: String) {
        var names: [String] = []
        var token = token
        while true {
            let page = try await changes(since: token, zone: zone, limit: limit, caller: .user(recordName: user))
            names += page.names
            token = page.token
            if !page.more { return (names, page.token) }
        }
    }

    package func sees(_ user: String, _ name: String, zone: ZoneID = .notes) async throws -> Bool {
        let found = try await records.lookup(LookupRequest(zone: zone, names: [name], caller: .user(recordName: user)))
        if case .success = found[0] { return true }
        return false
    }
}
