import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// The page behind a one-time link is that of its share.
struct OneTimePageTests {
    private struct Cast {
        let trip: TripFixture
        let guid: String
        let link: String
        var path: String { "/share/\(link)" }
    }

    private func withLink(_ body: @Sendable (Cast) async throws -> Void) async throws {
        try await TripFixture.run { trip in
            let owner = trip.sender
            try await owner.makeZone("clips")
            try await owner.save(zone: "clips", "clip", type: "ClipItem", fields: #""content": {"value": "Secret"}"#)
            let guid = try await owner.share(
                "clip", in: "clips",
                participants: [#"{"participantId": "L", "type": "USER", "permission": "READ_ONLY"}"#],
                more: #", "oneTimeStableUrlInfo": {"oneTimeLinks": [{"participantId": ["L"]}]}"#)
            let share = try await owner.lookup(zone: "clips", "Share-clip")
            let link = share["records.0.oneTimeStableUrlInfo.oneTimeLinks.0.sharingLink"]?.string
            _ = try await trip.server.signIn("ben@example.com", TripFixture.container)
            _ = try await trip.server.signIn("eve@example.com", TripFixture.container)
            try await body(Cast(trip: trip, guid: guid, link: try #require(link)))
        }
    }

    @Test("A one-time link opens for the first person who accepts, and for no other") func firstComer() async throws {
        try await withLink { cast in
            let stranger = try await cast.trip.server.send(.get, cast.path)
            #expect(stranger.status == 403)
            #expect(stranger.text.contains("<h1>Somebody shares something with you</h1>"))
            #expect(stranger.text.contains("This link lets one person in: the first to accept. Sign in to see"))
            let ben = try await cast.trip.browser(of: "ben@example.com")
            let invitation = try await ben.open(cast.path).text
            #expect(invitation.contains("Secret") && invitation.contains("This link lets one person in"))
            #expect(try await ben.submit("\(cast.path)/accept", [:]).status == 303)
            #expect(try await ben.open(cast.path).status == 200)
            let eve = try await cast.trip.browser(of: "eve@example.com")
            #expect(try await eve.open(cast.path).status == 404)
            #expect(try await eve.submit("\(cast.path)/accept", [:]).status == 404)
        }
    }

    @Test("The share's password opens the page of its one-time link") func password() async throws {
        try await withLink { cast in
            _ = try await cast.trip.settle(#"{"password": "fado"}"#, id: cast.guid)
            let ben = try await cast.trip.browser(of: "ben@example.com")
            #expect(try await ben.open(cast.path).status == 403)
            #expect(try await ben.submit("\(cast.path)/password", ["password": "fado"]).status == 303)
            #expect(try await ben.open(cast.path).text.contains("Secret"))
        }
    }

    @Test("Settings made on the page of a one-time link apply to the share", arguments: ["page", "REST"])
    func settings(how: String) async throws {
        try await withLink { cast in
            if how == "page" {
                let owner = try await cast.trip.browser(of: "mei@example.com")
                _ = try await owner.open(cast.path)
                #expect(try await owner.submit("\(cast.path)/settings", ["takenDown": "yes"]).status == 303)
            } else {
                #expect(try await cast.trip.settle(#"{"takenDown": true}"#, id: cast.link).status == 200)
            }
            #expect(try await cast.trip.server.send(.get, "/share/\(cast.guid)").status == 410)
            #expect(try await cast.trip.server.send(.get, cast.path).status == 410)
        }
    }

    @Test("An invited person can decline", arguments: ["email", "link"])
    func decline(how: String) async throws {
        try await withLink { cast in
            let path = how == "link" ? cast.path : "/share/\(cast.guid)"
            if how == "email" {
                try await cast.trip.sender.updateShare(
                    "Share-clip", in: "clips", #""participants": [\#(Sharing.entry(email: "ben@example.com"))]"#)
            }
            let ben = try await cast.trip.browser(of: "ben@example.com")
            #expect(try await ben.open(path).text.contains("Decline"))
            #expect(try await ben.submit("\(path)/leave", [:]).status == 200)
            #expect(try await ben.open(path).status == 404)
            let share = try await cast.trip.sender.lookup(zone: "clips", "Share-clip")
            #expect(share["records.0.participants"]?.array?.count == 1)
        }
    }
}
