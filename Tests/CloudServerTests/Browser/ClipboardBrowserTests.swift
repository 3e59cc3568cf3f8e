import TestCloud
import CloudModel
import TestBrowser
import Testing

/// Scenario 2 in a browser: one item of somebody's private database behind a link.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ClipboardBrowserTests {
    /// Whoever is told of, in a browser of their own.
    private func page(_ browser: TestBrowser, _ trip: TripFixture, as email: String) async throws -> BrowserPage {
        _ = try await trip.server.signIn(email, TripFixture.container)
        let page = try await browser.page()
        try await page.open("\(trip.origin)/auth/signin")
        try await page.load { try await page.click("button[value='\(email)']") }
        return page
    }

    private func share(_ trip: TripFixture, permission: String, participants: [String] = []) async throws -> String {
        try await trip.sender.makeZone("clips")
        try await trip.sender.save(
            zone: "clips", "clip", type: "ClipItem",
            fields: #""text": {"value": "The cake is in the shed"}, "name": {"value": "Surprise"}"#)
        let guid = try await trip.sender.share(
            "clip", in: "clips", as: "Share-1", permission: permission, participants: participants)
        return "\(trip.origin)/share/\(guid)"
    }

    @Test("Invited people sign in, accept and leave on the share page") func invited() async throws {
        try await TripFixture.run(.live) { trip in
            _ = try await trip.server.signIn("ben@example.com", TripFixture.container)
            let link = try await share(
                trip, permission: "NONE", participants: [Sharing.entry(email: "ben@example.com")])
            let ben = try await TestBrowser().page()
            try await ben.open(link)
            #expect(try await ben.text.contains("This link is for invited people."))
            #expect(!(try await ben.text.contains("cake")))
            try await ben.load { try await ben.click("a.button") }
            try await ben.load { try await ben.click("button[value='ben@example.com']") }
            #expect(try await ben.address == link)
            #expect(try await ben.text.contains("You are invited"))
            try await ben.load { try await ben.click(".asks button") }
            #expect(try await ben.text.contains("The cake is in the shed"))
            let members = try await ben.text(of: "document.querySelector('.members').innerText")
            #expect(members.contains("ben@example.com (you)") && members.contains("Owner"))
            try await ben.load { try await ben.click(".members button") }
            #expect(try await ben.text.contains("You have left"))
            try await ben.open(link)
            #expect(try await ben.text.contains("Page not found"))
        }
    }

    @Test("Uninvited people see nothing, or may request access") func uninvited() async throws {
        try await TripFixture.run(.live) { trip in
            let link = try await share(
                trip, permission: "NONE", participants: [Sharing.entry(email: "ben@example.com")])
            let eve = try await page(TestBrowser(), trip, as: "eve@example.com")
            try await eve.open(link)
            let told = try await eve.text
            #expect(told.contains("Page not found") && told.contains("signed in as eve@example.com"))
            try await eve.open("\(trip.origin)/share/\(String(repeating: "0", count: 25))")
            #expect(try await eve.text == told)
            try await trip.sender.updateShare("Share-1", in: "clips", #""denyAccessRequests": false"#)
            try await eve.open(link)
            #expect(try await eve.text.contains("This is for invited people"))
            #expect(!(try await eve.text.contains("Surprise")))
            try await eve.load { try await eve.click("button") }
            #expect(try await eve.text.contains("You have asked"))
        }
    }

    @Test("A stranger reads a shared page until the owner stops sharing") func strangerReads() async throws {
        try await TripFixture.run(.live) { trip in
            let link = try await share(trip, permission: "READ_ONLY")
            let browser = try await TestBrowser()
            let stranger = try await browser.page()
            try await stranger.open(link)
            #expect(try await stranger.text.contains("The cake is in the shed"))
            #expect(try await stranger.text.contains("Sign in to join"))
            let friend = try await page(browser, trip, as: "zoe@example.com")
            try await friend.open(link)
            try await friend.load { try await friend.click(".offer button") }
            #expect(try await friend.text.contains("zoe@example.com (you)"))
            _ = try await trip.sender.modify(zone: "clips", [Operation.delete("Share-1")])
            for page in [stranger, friend] {
                try await page.open(link)
                #expect(try await page.text.contains("This has been taken down"))
                #expect(!(try await page.text.contains("cake")))
            }
        }
    }
}
