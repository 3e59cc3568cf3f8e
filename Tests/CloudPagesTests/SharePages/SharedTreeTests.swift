import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import Testing

/// Scenario 2: one item, shared from a private database.
struct SharedTreeTests {
    private struct Clip {
        let trip: TripFixture
        let guid: String
        var path: String { "/share/\(guid)" }
    }

    private func share(
        _ trip: TripFixture, fields: String, permission: String = "READ_ONLY", participants: String = ""
    ) async throws -> Clip {
        let owner = trip.sender
        try await owner.makeZone("clips")
        let tag = try await owner.save(zone: "clips", "clip", type: "ClipItem", fields: fields)
        let answer = try await owner.modify(
            zone: "clips",
            [
                """
                {"operationType": "create", "record": {"recordType": "cloudkit.share", "recordName": "Share-1",
                 "forRecord": {"recordName": "clip", "recordChangeTag": "\(tag)"}, "publicPermission": "\(permission)",
                 "participants": [\(participants)],
                 "fields": {"cloudkit.title": {"value": "Clipboard Item"}}}}
                """
            ], options: #", "atomic": true"#)
        return Clip(trip: trip, guid: try #require(answer["records.0.shortGUID"]?.string, "\(answer.text)"))
    }

    @Test("A web address, a text and details of a record are shown") func details() async throws {
        try await TripFixture.run { trip in
            let clip = try await share(
                trip,
                fields: """
                    "content": {"value": "Two\\nlines <script>"}, "address": {"value": "https://example.com/a?b=c"},
                    "trick": {"value": "javascript:alert(1)"}, "kind": {"value": "note"}
                    """)
            let page = try await trip.server.send(.get, clip.path)
            #expect(page.status == 200)
            #expect(page.text.contains("Clipboard Item"))
            #expect(page.text.contains("Two\nlines &lt;script&gt;"))
            #expect(page.text.contains(#"href="https://example.com/a?b=c""#))
            #expect(!page.text.contains(#"href="javascript"#))
            #expect(page.text.contains("og:title"))
        }
    }

    @Test("A picture is shown with the texts of its record") func picture() async throws {
        try await TripFixture.run { trip in
            let clip = try await share(trip, fields: #""title": {"value": "Album"}"#)
            let photo = try await trip.sender.upload(Array(TripFixture.photo("cat")))
            let saved = try await trip.sender.modify(
                zone: "clips",
                [
                    """
                    {"operationType": "create", "record": {"recordType": "Memory", "recordName": "m",
                     "parent": {"recordName": "clip"}, "fields": {"photo": {"value": \(photo)},
                     "title": {"value": "A <cat>"}, "text": {"value": "asleep"}, "mood": {"value": "calm"}}}}
                    """
                ])
            #expect(saved.status == 200)
            let page = try await trip.server.send(.get, clip.path)
            #expect(
                page.text.contains(
                    #"<span class="caption" dir="auto" aria-hidden="true">A &lt;cat&gt; – asleep</span>"#))
            #expect(page.text.contains(#"alt="A &lt;cat&gt; – asleep""#))
        }
    }

    @Test("A page by invitation opens for invited people only") func invitation() async throws {
        try await TripFixture.run { trip in
            let clip = try await share(
                trip, fields: #""content": {"value": "Secret"}"#, permission: "NONE",
                participants: """
                    {"type": "USER", "permission": "READ_WRITE", "acceptanceStatus": "INVITED",
                     "userIdentity": {"lookupInfo": {"emailAddress": "ben@example.com"}}}
                    """)
            let stranger = try await trip.server.send(.get, clip.path)
            #expect(stranger.status == 403)
            #expect(!stranger.text.contains("Secret") && !stranger.text.contains("Clipboard"))
            #expect(stranger.text.contains("/auth/signin?return="))
            _ = try await trip.server.signIn("ben@example.com", TripFixture.container)
            _ = try await trip.server.signIn("eve@example.com", TripFixture.container)
            let uninvited = try await trip.browser(of: "eve@example.com")
            #expect(try await uninvited.open(clip.path).status == 404)
            let invited = try await trip.browser(of: "ben@example.com")
            #expect(try await invited.open(clip.path).text.contains("You are invited"))
            #expect(try await invited.submit("\(clip.path)/accept", [:]).status == 303)
            let page = try await invited.open(clip.path)
            #expect(page.text.contains("Secret") && page.text.contains("Members"))
            #expect(try await invited.submit("\(clip.path)/leave", [:]).text.contains("You have left"))
            #expect(try await invited.open(clip.path).status == 404)
        }
    }

    @Test("A stopped share ends its page at once") func stopped() async throws {
        try await TripFixture.run { trip in
            let clip = try await share(trip, fields: #""content": {"value": "Secret"}"#)
            #expect(try await trip.server.send(.get, clip.path).status == 200)
            _ = try await trip.sender.modify(zone: "clips", [Operation.delete("Share-1")])
            let page = try await trip.server.send(.get, clip.path)
            #expect(page.status == 410)
            #expect(page.text.contains("This has been taken down"))
            #expect(!page.text.contains("Secret") && !page.text.contains("Clipboard"))
            #expect(try await trip.server.send(.get, "\(clip.path)/zip").status == 410)
            // A handle of the same container that never was one.
            let unknown = clip.guid.prefix(3) + String(repeating: "0", count: clip.guid.count - 3)
            #expect(try await trip.server.send(.get, "/share/\(unknown)").status == 404)
        }
    }

    @Test("A share is listed and can be taken down") func takenDown() async throws {
        try await TripFixture.run { trip in
            let clip = try await share(trip, fields: #""content": {"value": "Secret"}"#)
            let links = try await trip.server.send(.get, trip.links())
            #expect(links.column("links", "id").compactMap { $0?.string } == [clip.guid, TripFixture.id])
            #expect(try await trip.settle(#"{"takenDown": true}"#, id: clip.guid).status == 200)
            #expect(try await trip.server.send(.get, clip.path).status == 410)
        }
    }
}
