import CloudWire
import CloudServer
import TestCloud
import CloudModel
import TestBrowser
import Testing

/// The console for screen readers and keyboards, with and without scripts. `LookMatrixTests` has the pages for everybody.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct AccessibilityBrowserTests {
    @Test(
        "Every console view shows hostile texts as text, fits, passes the accessibility rules, and says the same without scripts"
    )
    func console() async throws {
        try await TestServer.run(.live) { server in
            let console = ConsoleLooks(server: server)
            let looks = try await console.prepare()
            let browser = try await TestBrowser()
            for person in looks.people {
                let page = try await browser.page()
                if let person { try await page.signIn(person, at: console.origin) }
                for (index, look) in looks.enumerated() where look.person == person {
                    try await check(look, on: page, at: console.origin, isNarrowDark: index.isMultiple(of: 2))
                }
                #expect(page.faults.filter { !$0.contains("status of 4") } == [])
            }
        }
    }

    /// Shows a page narrow and wide, one of them light and the other dark, in turn. At the second width only colors and the
    /// room differ.
    private func check(
        _ look: Look, on page: BrowserPage, at origin: String, isNarrowDark: Bool
    ) async throws {
        for (width, dark) in [(360, isNarrowDark), (1280, !isNarrowDark)] {
            let theme = dark ? "dark" : "light"
            try await page.resize(width: width, height: width == 360 ? 740 : 800, dark: dark, reducedMotion: true)
            if width == 360 { try await look.show(on: page, at: origin) }
            try await page.evaluate(Look.painting)
            // Denser than the pages for everybody, and as little as those wider than the screen.
            #expect(try await page.evaluate(Layout.sideways) == .array([]), "\(look.name) \(width)")
            try await page.screenshot("console-\(look.name)-\(width)-\(theme)", whole: false)
        }
        let title = try await page.text(of: "document.title")
        #expect(!title.contains("taken"), "\(look.name)")
        let words = look.action.isEmpty ? try await page.words() : nil
        try await page.evaluate(Look.unfold)
        // It ends at the width that the words were read at.
        for (width, dark) in [(360, isNarrowDark), (1280, !isNarrowDark)] {
            try await page.resize(width: width, height: width == 360 ? 740 : 800, dark: dark, reducedMotion: true)
            try await page.evaluate(Look.painting)
            let violations = try await page.violations(colorsOnly: !dark)
            #expect(violations == [], "\(look.name) \(width) \(dark ? "dark" : "light")")
        }
        guard let words else { return }
        #expect(try await page.withoutScripts(words, look, at: origin) == [], "\(look.name)")
    }
}
