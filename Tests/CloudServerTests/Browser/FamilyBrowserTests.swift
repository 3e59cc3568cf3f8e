import TestCloud
import CloudModel
import TestBrowser
import Testing

/// Scenario 3 in a browser: two keep one family record together.
@Suite(.timeLimit(.minutes(20)))
struct FamilyBrowserTests {
    private func memory(_ name: String, _ text: String, more: String = "") -> String {
        Operation.write(
            "forceReplace", name, type: "Memory", fields: #""title": {"value": "\#(text)"}\#(more)"#,
            extra: #", "parent": {"recordName": "mia"}"#)
    }

    @Test("Two browsers of a family see each other's changes") func bothWrite() async throws {
        try await TripFixture.run(.live) { trip in
            let anna = trip.sender
            let ben = try await trip.server.signIn("ben@example.com", TripFixture.container)
            try await anna.makeZone("Family")
            try await anna.save(zone: "Family", "mia", type: "Grandchild", fields: #""name": {"value": "Mia"}"#)
            let photo = try await trip.upload(
                try TripFixture.photo("flower"), "beach", "Memory", "photo", in: "private", zone: "Family", anna)
            _ = try await anna.modify(
                zone: "Family",
                [
                    memory("beach", "The beach", more: #", "photo": {"value": \#(photo)}"#),
                    memory("step", "First step"),
                ])
            let guid = try await anna.share(
                "mia", in: "Family", participants: [Sharing.entry(email: "ben@example.com")])
            let link = "\(trip.origin)/share/\(guid)"

            let page = try await TestBrowser().page()
            try await page.open("\(trip.origin)/auth/signin")
            try await page.load { try await page.click("button[value='ben@example.com']") }
            try await page.open(link)
            try await page.load { try await page.click(".asks button") }
            #expect(try await page.text.contains("Can look and change"))
            try await page.wait(for: "document.querySelector('.photo img')?.naturalWidth > 0")
            let file = try await page.download { try await page.click("a[download]") }
            #expect(try file.bytes == TripFixture.photo("flower"))

            let view = ben.shared("Family", of: anna.user)
            _ = try await view.modify(memory("word", "First word"))
            _ = try await anna.modify(zone: "Family", [memory("step", "First big step")])
            try await page.open(link)
            let records = try await page.text(of: "document.querySelector('.records').innerText")
            #expect(records.contains("First word") && records.contains("First big step"))

            _ = try await anna.modify(zone: "Family", [Operation.delete("Share-mia")])
            try await page.open(link)
            #expect(try await page.text.contains("This has been taken down"))
        }
    }
}
