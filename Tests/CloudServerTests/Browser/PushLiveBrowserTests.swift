import TestCloud
import CloudModel
import TestBrowser
import Testing

/// The Push view's log in a browser, while messages are queued and delivered.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct PushLiveBrowserTests {
    @Test("The log shows messages as they are queued and delivered, and a device's row sends a test")
    func live() async throws {
        try await TestServer.run(.live) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.watchNotes()
            let ear = try await mei.ear("phone")
            let page = try await TestBrowser().page()
            let place = "container=iCloud.com.example.test&environment=development"
            try await page.open("http://127.0.0.1:\(server.client.port ?? 0)/console/push?\(place)")
            try await mei.save("n1")
            try await page.wait(for: "document.querySelector('main .panel').innerText.includes('n1')")
            #expect(try await ear.news() == "notes n1")
            try await page.wait(for: "document.querySelector('main .panel').innerText.includes('delivered by poll')")
            try await page.load { try await page.click("td form button") }
            #expect(try await page.evaluate("document.querySelector('main .panel tbody').rows.length") == 2)
            #expect(try await ear.news() == "notes")
            try await page.evaluate("document.querySelector('main .panel tbody tr').focus()")
            try await mei.save("n2")
            try await page.wait(for: "!document.querySelector('[data-live-news]').hidden")
            #expect(try await page.evaluate("document.querySelector('main .panel tbody').rows.length") == 2)
            #expect(page.faults == [])
        }
    }
}
