import TestCloud
import CloudModel
import Testing

/// A clipboard item is shared from a private database, changed by two, and taken back.
struct ClipboardSharingTests {
    private static let container = "iCloud.J894ABBU74.ClippyIsle"

    @Test("An item is shared, changed by two people and unshared") func sharing() async throws {
        try await TestServer.run { server in
            let owner = try await server.signIn("owner@example.com", Self.container)
            let friend = try await server.signIn("friend@example.com", Self.container)
            try await owner.makeZone("Clips")
            let text = { (text: String) in #""text": {"value": "\#(text)"}"# }
            try await owner.save(zone: "Clips", "item", type: "Item", fields: text("https://example.com"))
            let guid = try await owner.share("item", in: "Clips", permission: "READ_WRITE")
            try await friend.accept(guid)
            let view = friend.shared("Clips", of: owner.user)
            let seen = try await view.lookup("item")
            let tag = try #require(seen["records.0.recordChangeTag"]?.string)
            let token = try #require(try await owner.changes("Clips")["syncToken"]?.string)
            let edit = try await view.modify(
                Operation.write("update", "item", type: nil, tag: tag, fields: text("theirs")))
            #expect(edit["records.0.fields.text.value"] == "theirs")
            #expect(try await owner.changes("Clips", since: token).recordNames == ["item"])
            // The second save with the old tag is a conflict: read, merge, save.
            let update = { Operation.write("update", "item", type: "Item", tag: $0, fields: text("both")) }
            let conflict = try await owner.modify(zone: "Clips", [update(tag)])
            #expect(conflict["records.0.serverErrorCode"] == "CONFLICT")
            let merged = try await owner.modify(
                zone: "Clips", [update(try await owner.tag(of: "item", zone: "Clips"))])
            #expect(merged["records.0.fields.text.value"] == "both")
            #expect(merged["records.0.share.recordName"] == "Share-item")
            try await owner.updateShare("Share-item", in: "Clips", #""publicPermission": "READ_ONLY""#)
            let denied = try await view.modify(Operation.write("forceUpdate", "item", type: "Item"))
            #expect(denied["records.0.serverErrorCode"] == "ACCESS_DENIED")
            _ = try await owner.modify(zone: "Clips", [Operation.delete("Share-item")])
            #expect(try await view.lookup("item").code == "ZONE_NOT_FOUND")
            #expect(try await friend.resolve(guid)["results.0.serverErrorCode"] == "NOT_FOUND")
            #expect(try await owner.lookup(zone: "Clips", "item")["records.0.fields.text.value"] == "both")
        }
    }
}
