import CumulusKit

/// Four things from Anna's clipboard, each behind a link of its own (scenario 2).
struct ShareItems {
    static let zone = CKRecordZone.ID(zoneName: "ClippyZone")
    static let address = "https://example.com/tides"

    struct Links {
        let note, bookmark, picture, secret: Link
    }

    let photo: Photo
    let friend: String
    let database: CKDatabase
    let stage: Stage

    func play() async throws -> Links {
        try await database.makeEmpty(Self.zone)
        stage.want("Anna copies a text, a web link and a picture.")
        let items = [
            item("note", ["name": "Packing list", "type": "text", "text": "Passport\nSun cream\nA good book"]),
            item("bookmark", ["name": "The tide tables", "type": "link", "url": Self.address]),
            item("picture", ["name": "Look at this", "type": "image", "asset": CKAsset(data: photo.bytes)]),
            item("secret", ["name": "Surprise", "type": "text", "text": "The cake is in the shed"]),
        ]
        try await stage.succeed("saved") { try await database.write(items) }

        stage.want("She shares them: the list with Ben alone, the others with whoever has the link.")
        let permissions: [CKShare.ParticipantPermission] = [.none, .readOnly, .readOnly, .readWrite]
        let shares = zip(items, permissions).map { item, permission in
            let share = CKShare(rootRecord: item)
            share.title = item["name"]
            share.publicPermission = permission
            return share
        }
        shares[0].addParticipant(.init(emailAddress: friend, permission: .readWrite))
        try await stage.succeed("four shares") { try await database.write(shares) }
        return Links(
            note: try Link(to: shares[0], "a text for Ben: sign in as \(friend) (one click in development)"),
            bookmark: try Link(to: shares[1], "a web link, for anybody"),
            picture: try Link(to: shares[2], "a picture, for anybody"), secret: try Link(to: shares[3], ""))
    }

    private func item(_ name: String, _ fields: [CKRecord.FieldKey: any CKRecordValueProtocol]) -> CKRecord {
        CKRecord("ClipboardItem", "item-\(name)", in: Self.zone, fields)
    }
}
