import CloudModel
package import Testing

/// The texts of requests that share.
package enum Sharing {
    package static func entry(
        email: String? = nil, user: String? = nil, id: String? = nil, permission: String = "READ_WRITE",
        type: String = "USER", more: String = ""
    ) -> String {
        let lookup = [
            email.map { #""emailAddress": "\#($0)""# }, user.map { #""userRecordName": "\#($0)""# },
        ].compactMap(\.self).joined(separator: ", ")
        let id = id.map { #""participantId": "\#($0)", "# } ?? ""
        let identity = lookup.isEmpty ? "" : #", "userIdentity": {"lookupInfo": {\#(lookup)}}"#
        return
            #"{\#(id)"type": "\#(type)", "permission": "\#(permission)", "acceptanceStatus": "INVITED"\#(identity)\#(more)}"#
    }

    package static func creation(
        _ name: String = "Share-1", of root: String?, tag: String? = nil, permission: String = "NONE",
        participants: [String] = [], title: String = "Title", more: String = ""
    ) -> String {
        let tag = tag.map { #", "recordChangeTag": "\#($0)""# } ?? ""
        let root = root.map { #", "forRecord": {"recordName": "\#($0)"\#(tag)}"# } ?? ""
        let list = participants.joined(separator: ", ")
        return Operation.write(
            "create", name, type: "cloudkit.share", fields: #""cloudkit.title": {"value": "\#(title)"}"#,
            extra: #", "publicPermission": "\#(permission)", "participants": [\#(list)]\#(root)\#(more)"#)
    }
}

extension App {
    /// Shares a record, which is read for its tag.
    ///
    /// - Returns: the short GUID.
    @discardableResult
    package func share(
        _ root: String?, in zone: String, as name: String? = nil, permission: String = "NONE",
        participants: [String] = [], more: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        var tag: String?
        if let root { tag = try await self.tag(of: root, zone: zone) }
        let answer = try await modify(
            zone: zone,
            [
                Sharing.creation(
                    name ?? root.map { "Share-\($0)" } ?? "cloudkit.zoneshare", of: root, tag: tag,
                    permission: permission, participants: participants, more: more)
            ], sourceLocation: sourceLocation)
        let guid = answer["records.0.shortGUID"]?.string
        return try #require(guid, "\(answer.text)", sourceLocation: sourceLocation)
    }

    package func tag(of name: String, zone: String) async throws -> String {
        let found = try await lookup(zone: zone, name)
        return try #require(found["records.0.recordChangeTag"]?.string, "\(found.text)")
    }

    /// Changes a share as its owner, with its tag as of now.
    @discardableResult
    package func updateShare(
        _ name: String, in zone: String, _ members: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let tag = try await tag(of: name, zone: zone)
        let update = Operation.write("update", name, type: "cloudkit.share", tag: tag, extra: ", \(members)")
        return try await modify(zone: zone, [update], sourceLocation: sourceLocation)
    }

    @discardableResult
    package func accept(_ guid: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Answer {
        try await post(
            "public/records/accept", #"{"shortGUIDs": [{"value": "\#(guid)"}]}"#, sourceLocation: sourceLocation)
    }

    package func resolve(_ guid: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Answer {
        try await post("public/records/resolve", #"{"shortGUIDs": ["\#(guid)"]}"#, sourceLocation: sourceLocation)
    }

    /// The same app looking at a zone of somebody else.
    package func shared(_ zone: String, of owner: String) -> SharedZone {
        SharedZone(app: self, zone: zone, owner: owner)
    }
}

/// A zone of somebody else's in the shared database.
package struct SharedZone: Sendable {
    package let app: App
    package let zone: String
    package let owner: String

    package var id: String { #"{"zoneName": "\#(zone)", "ownerRecordName": "\#(owner)"}"# }

    package func modify(_ operations: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws
        -> Answer
    {
        try await modify(operations: operations, sourceLocation: sourceLocation)
    }

    package func modify(
        operations: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await app.post(
            "shared/records/modify", #"{"operations": [\#(operations.joined(separator: ", "))], "zoneID": \#(id)}"#,
            sourceLocation: sourceLocation)
    }

    package func lookup(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> Answer {
        let records = names.map { #"{"recordName": "\#($0)"}"# }.joined(separator: ", ")
        return try await app.post(
            "shared/records/lookup", #"{"records": [\#(records)], "zoneID": \#(id)}"#, sourceLocation: sourceLocation)
    }

    package func query(_ query: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Answer {
        try await app.post(
            "shared/records/query", #"{"query": \#(query), "zoneID": \#(id)}"#, sourceLocation: sourceLocation)
    }

    /// The zone's entry in changes/zone.
    package func changes(since token: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws
        -> Answer
    {
        let token = token.map { #", "syncToken": "\#($0)""# } ?? ""
        return try await app.post(
            "shared/changes/zone", #"{"zones": [{"zoneID": \#(id)\#(token)}]}"#, sourceLocation: sourceLocation)
    }

    /// Changed names since a token, deleted ones with a minus before them, and the next token.
    package func news(since token: String? = nil) async throws -> (names: Set<String>, token: String) {
        let answer = try await changes(since: token)
        let records: [JSONValue] = answer["zones.0.records"]?.array ?? []
        var names: Set<String> = []
        for record in records {
            let name = record[path: "recordName"]?.string ?? ""
            names.insert(record[path: "deleted"] == true ? "-" + name : name)
        }
        let next = answer["zones.0.syncToken"]?.string
        return (names, try #require(next, "\(answer.text)"))
    }
}
