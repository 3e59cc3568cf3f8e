import Foundation

/// Four things from Anna's clipboard, each behind a link of its own (scenario 2).
struct ShareItems {
    static let zone: JSON = ["zoneName": "ClippyZone"]
    static let address = "https://example.com/tides"

    struct Links {
        let note, bookmark, picture, secret: Link
    }

    let photo: Photo
    let friend: String
    let client: CloudClient
    let stage: Stage

    func play() async throws -> Links {
        try await client.emptyZone(Self.zone)
        stage.want("Anna copies a text, a web link and a picture.")
        let picture = try await client.upload(
            photo.bytes, type: "ClipboardItem", field: "asset", to: "private", zone: Self.zone)
        let answer = try await stage.ask(
            client, "private/records/modify",
            [
                "zoneID": Self.zone, "atomic": true,
                "operations": [
                    item(
                        "note", "Packing list",
                        ["type": .field("text"), "text": .field("Passport\nSun cream\nA good book")]),
                    item(
                        "bookmark", "The tide tables",
                        ["type": .field("link"), "url": .field(Self.address)]),
                    item("picture", "Look at this", ["type": .field("image"), "asset": .field(uploaded: picture)]),
                    item("secret", "Surprise", ["type": .field("text"), "text": .field("The cake is in the shed")]),
                ],
            ], show: ["name", "type"])
        try stage.check("saved", answer.records.map(\.errorCode), is: [nil, nil, nil, nil])
        return try await share(answer.records)
    }

    private func share(_ items: [CloudRecord]) async throws -> Links {
        stage.want("She shares them: the list with Ben alone, the others with whoever has the link.")
        let titles = ["Packing list", "The tide tables", "Look at this", "Surprise"]
        let invited: [[JSON]] = [[.invitation(friend)], [], [], []]
        let permissions = ["NONE", "READ_ONLY", "READ_ONLY", "READ_WRITE"]
        let operations = items.indices.map {
            JSON.sharing(
                items[$0].name, tag: items[$0].tag, title: titles[$0], permission: permissions[$0], invited: invited[$0]
            )
        }
        let answer = try await stage.ask(
            client, "private/records/modify",
            ["zoneID": Self.zone, "atomic": true, "operations": .array(operations)], show: ["cloudkit.title"])
        try stage.check("four shares", answer.records.map(\.errorCode), is: [nil, nil, nil, nil])
        let what = [
            "a text for Ben: sign in as \(friend) (one click in development)", "a web link, for anybody",
            "a picture, for anybody", "",
        ]
        let links = answer.records.indices.map {
            client.link(to: answer.records[$0], titled: titles[$0], what: what[$0])
        }
        return Links(note: links[0], bookmark: links[1], picture: links[2], secret: links[3])
    }

    private func item(_ name: String, _ title: String, _ fields: JSON) -> JSON {
        [
            "operationType": "create",
            "record": [
                "recordType": "ClipboardItem", "recordName": .string("item-\(name)"), "createShortGUID": true,
                "fields": fields.with("name", .field(title)),
            ],
        ]
    }
}
