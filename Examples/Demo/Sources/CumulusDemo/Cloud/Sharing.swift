// What an app says to share a record, and to open what was shared (reference B §9).

extension JSON {
    /// The operation that shares the record `name`, whose change tag is `tag`.
    static func sharing(_ name: String, tag: String, title: String, permission: String, invited: [JSON] = []) -> JSON {
        [
            "operationType": "create",
            "record": [
                "recordType": "cloudkit.share", "fields": ["cloudkit.title": .field(title)],
                "forRecord": ["recordName": .string(name), "recordChangeTag": .string(tag)],
                "publicPermission": .string(permission), "participants": .array(invited),
            ],
        ]
    }

    /// The operation that shares a whole zone.
    static func sharingZone(title: String, invited: [JSON]) -> JSON {
        [
            "operationType": "create",
            "record": [
                "recordType": "cloudkit.share", "recordName": "cloudkit.zoneshare",
                "fields": ["cloudkit.title": .field(title)], "publicPermission": "NONE",
                "participants": .array(invited),
            ],
        ]
    }

    /// Somebody to invite by address.
    static func invitation(_ email: String, permission: String = "READ_WRITE") -> JSON {
        [
            "type": "USER", "permission": .string(permission), "acceptanceStatus": "INVITED",
            "userIdentity": ["lookupInfo": ["emailAddress": .string(email)]],
        ]
    }

    /// The body of `records/resolve` and `records/accept`.
    static func opening(_ link: Link) -> JSON { ["shortGUIDs": [["value": .string(link.id)]]] }

    func owned(by user: String) -> JSON { with("ownerRecordName", .string(user)) }
}

extension CloudAnswer {
    /// The first of the links that were resolved or accepted.
    var opened: JSON? { body["results"]?.array?.first }
}

extension CloudClient {
    /// The link of a share, titled for people (reference B §9.10).
    func link(to share: CloudRecord, titled title: String, what: String) -> Link {
        let guid = share.json["shortGUID"]?.string ?? ""
        return Link(url: "\(origin)/share/\(guid)#\(title.replacing(" ", with: "-"))", what: what)
    }

    /// A zone without anything in it: what an earlier run left goes first.
    func emptyZone(_ zone: JSON) async throws {
        for type in ["delete", "create"] {
            let answer = try await post(
                "private/zones/modify",
                ["operations": [["operationType": .string(type), "zone": ["zoneID": zone]]]])
            guard answer.status == 200 else {
                throw Mismatch(what: "making an empty zone", expected: "200", got: answer.summary)
            }
        }
    }
}
