import TestCloud
import CloudModel
import TestBrowser
import Testing

/// The console's palette in a browser, by keys alone.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct PaletteBrowserTests {
    private static let place = "container=iCloud.com.example.test&environment=development"

    private func run(_ body: @Sendable (TestServer, App, BrowserPage, String) async throws -> Void) async throws {
        try await TestServer.run(.live) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""title": {"value": "one"}"#)
            let page = try await TestBrowser().page()
            let console = "http://127.0.0.1:\(server.client.port ?? 0)/console"
            try await page.open(console)
            try await body(server, mei, page, console)
            #expect(page.faults == [])
        }
    }

    /// Opens the palette, types a text and goes to the first place that it gives.
    private func go(to text: String, _ page: BrowserPage) async throws {
        try await page.press("k", control: true)
        try await page.type(text, into: "#palette input")
        try await page.wait(for: "document.querySelector('#palette .chosen')")
        try await page.load { try await page.press("Enter") }
    }

    @Test("Ctrl K and a few letters find a view, a request, a person and a record")
    func places() async throws {
        try await run { _, mei, page, console in
            try await go(to: "sch", page)
            #expect(try await page.address.contains("/console/schema?"))
            let refused = try await mei.post("private/records/lookup", "{")
            try await go(to: try #require(refused["uuid"]?.string).uppercased(), page)
            #expect(try await page.address.contains("/console/request?uuid="))
            #expect(try await page.text.contains("BAD_REQUEST"))
            try await go(to: "mei@example.com", page)
            #expect(try await page.address.hasSuffix("/console/person?email=mei%40example.com"))
            try await page.open("\(console)/data?\(Self.place)")
            try await go(to: "n1", page)
            #expect(try await page.address.contains("/console/record?"))
            #expect(try await page.text.contains("Change tag"))
            try await go(to: mei.user, page)
            #expect(try await page.address.hasSuffix("user=\(mei.user)"))
            #expect(try await page.text.contains("private data"))
            try await go(to: "deploy", page)
            #expect(try await page.address.contains("/console/schema/deploy?"))
        }
    }

    @Test("Arrow keys select in the list, Escape closes and restores the focus, and the field names the selection")
    func keys() async throws {
        try await run { _, _, page, _ in
            let chosen = """
                document.getElementById(document.querySelector('#palette input')
                    .getAttribute('aria-activedescendant'))?.querySelector('span').textContent
                """
            try await page.evaluate("document.querySelector('.find').focus()")
            try await page.press("Enter")
            try await page.wait(for: "document.querySelector('#palette[open] .chosen')")
            #expect(try await page.text(of: chosen) == "Overview")
            try await page.press("ArrowDown")
            #expect(try await page.text(of: chosen) == "Data")
            try await page.press("ArrowUp")
            try await page.press("ArrowUp")
            #expect(try await page.text(of: chosen) == "Production")
            #expect(try await page.evaluate("document.querySelectorAll('#palette [aria-selected=true]').length") == 1)
            #expect(try await page.violations() == [])
            try await page.press("Escape")
            #expect(try await page.evaluate("document.querySelector('#palette').open") == false)
            #expect(try await page.evaluate("document.activeElement.matches('.find')") == true)
            try await page.press("k", control: true)
            try await page.press("k", control: true)
            #expect(try await page.evaluate("document.querySelector('#palette').open") == false)
        }
    }

    @Test("Without scripts the palette has no button")
    func withoutScripts() async throws {
        try await run { _, _, page, console in
            #expect(try await page.text(of: "getComputedStyle(document.querySelector('.find')).display") != "none")
            try await page.send("Emulation.setScriptExecutionDisabled", ["value": .bool(true)])
            try await page.open(console)
            #expect(try await page.text(of: "getComputedStyle(document.querySelector('.find')).display") == "none")
        }
    }
}
