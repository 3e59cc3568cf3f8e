import CloudModel
import TestBrowser
import TestCloud
import Testing

/// A visitor without a mouse.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct KeyboardBrowserTests {
    /// Presses Tab until an element of the selector has the focus.
    private func go(to selector: String, _ page: BrowserPage) async throws {
        for _ in 0..<40 {
            if try await page.evaluate("!!document.activeElement?.matches(`\(selector)`)") == true { return }
            try await page.press("Tab")
        }
        Issue.record("\(selector) is not reached by Tab")
    }

    @Test("A password, pictures, details, choices and a download by keys alone")
    func visit() async throws {
        try await TripFixture.run(.live) { trip in
            try await trip.publish("keys", title: "Lisbon", photos: ["temple", "coffee", "cat", "moon"])
            _ = try await trip.settle(#"{"password": "fado"}"#, id: "keys")
            let page = try await TestBrowser().page()
            try await page.open("\(trip.origin)/share/keys")
            try await go(to: "input[type=password]", page)
            try await page.send("Input.insertText", ["text": .string("fado")])
            try await page.load { try await page.press("Enter") }

            try await go(to: "a.photo", page)
            try await page.press("Enter")
            try await page.wait(for: AlbumFixture.isOpen)
            try await page.press("ArrowRight")
            try await page.wait(for: "document.querySelector('.pswp__counter').textContent === '2 / 4'")
            try await page.press("i")
            try await page.wait(for: "!!document.querySelector('.pswp__about dd')")
            try await page.press("Escape")
            try await page.wait(for: "!document.querySelector('.pswp__about')?.checkVisibility()")
            try await page.press("Escape")
            try await page.wait(for: AlbumFixture.isClosed)

            try await go(to: "#choose", page)
            try await page.press("Enter")
            try await page.wait(for: "document.body.classList.contains('choosing')")
            try await go(to: "input[name=i]", page)
            try await page.press(" ")
            #expect(try await page.text(of: "document.getElementById('chosen').value") == "1 chosen")
            try await go(to: "#files button:not([type])", page)
            let chosen = try await page.download { try await page.press("Enter") }
            #expect(try StoredZip(chosen.bytes).files.count == 1)
            // The page that asks for the password.
            #expect(page.faults.filter { !$0.contains("status of 403") } == [])
        }
    }
}
