import CloudModel
import CloudStore
import HummingbirdTesting
import TestBrowser
import Testing

/// The console in a browser: hostile texts in every field, narrow and wide, by day and by night, by keys and without
/// scripts.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ConsoleBrowserTests {
    @Test func hostileTextsStayTextsInEveryViewAndSize() async throws {
        try await TestServer.run(.live) { server in
            let console = ConsoleLooks(server: server)
            let page = try await TestBrowser(bound: 1200).page()
            for look in try await console.prepare() {
                for (width, dark) in [(360, false), (360, true), (1280, false), (1280, true)] {
                    try await page.resize(width: width, height: width == 360 ? 740 : 800, dark: dark)
                    try await look.show(on: page, at: console.origin)
                    let title = try await page.text(of: "document.title")
                    #expect(!title.contains("taken"), "\(look.name)")
                    // Denser than the pages for everybody, and as little as those wider than the screen.
                    let excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                    #expect(try await page.evaluate(excess) == 0, "\(look.name)")
                    try await page.screenshot(
                        "console-\(look.name)-\(width)-\(dark ? "dark" : "light")", whole: false)
                }
            }
            #expect(page.faults.filter { !$0.contains("status of 4") } == [])
        }
    }

    @Test("Keys of the console go to views and open rows") func keysGoToViewsAndOpenRows() async throws {
        try await TestServer.run(.live) { server in
            let console = ConsoleLooks(server: server)
            _ = try await console.prepare()
            let page = try await TestBrowser().page()
            try await page.open(console.origin + "/console")
            try await page.press("g")
            try await page.load { try await page.press("d") }
            #expect(try await page.address.contains("/console/data"))
            try await page.press("j")
            try await page.load { try await page.press("Enter") }
            #expect(try await page.address.contains("/console/record"))
            #expect(page.faults == [])
        }
    }

    @Test func withoutScriptsRecordsAreReadAndSaved() async throws {
        try await TestServer.run(.live) { server in
            let console = ConsoleLooks(server: server)
            let data = try #require(try await console.prepare().first { $0.name == "data" })
            let page = try await TestBrowser().page(width: 360, height: 740)
            try await page.send("Emulation.setScriptExecutionDisabled", ["value": .bool(true)])
            try await page.open(console.origin + data.path)
            try await page.load { try await page.click("tbody a.row") }
            #expect(try await page.text.contains("Change tag"))
            try await page.load { try await page.click(".savebar button") }
            #expect(try await page.text.contains("Change tag"))
        }
    }
}
