import CloudWire
import CloudServer
import TestCloud
import CloudModel
import TestBrowser
import Testing

/// Every page for screen readers and keyboards, with and without scripts.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct AccessibilityBrowserTests {
    @Test("Every console view shows hostile texts as text, fits, and passes the accessibility rules")
    func consoleRules() async throws {
        try await TestServer.run(.live) { server in
            let console = ConsoleLooks(server: server)
            try await check(try await console.prepare(), "console", at: console.origin) { look, page in
                let title = try await page.text(of: "document.title")
                #expect(!title.contains("taken"), "\(look.name)")
                // Denser than the pages for everybody, and as little as those wider than the screen.
                let excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                #expect(try await page.evaluate(excess) == 0, "\(look.name)")
            }
        }
    }

    @Test("Every share page fits and passes the accessibility rules")
    func sharePageRules() async throws {
        try await TripFixture.run(.live) { trip in
            let looks = try await SharePageLooks(trip: trip).prepare()
            try await check(looks, "share", at: trip.origin) { look, page in
                try await page.fits("\(look.name)")
            }
        }
    }

    @Test("The start and sign-in pages fit and pass the accessibility rules")
    func signInRules() async throws {
        try await TestServer.run(.live, configure: { $0.registration.isOpen = true }) { server in
            let signIn = SignInLooks(server: server)
            try await check(try await signIn.prepare(), "signin", at: signIn.origin) { look, page in
                try await page.fits("\(look.name)")
            }
        }
    }

    @Test("Every console view has the same text without scripts")
    func plainConsole() async throws {
        try await TestServer.run(.live) { server in
            let console = ConsoleLooks(server: server)
            try await compare(try await console.prepare(), at: console.origin)
        }
    }

    @Test("Every share page has the same text without scripts")
    func plainSharePages() async throws {
        try await TripFixture.run(.live) { trip in
            try await compare(try await SharePageLooks(trip: trip).prepare(), at: trip.origin)
        }
    }

    @Test("The start and sign-in pages have the same text without scripts")
    func plainSignIn() async throws {
        try await TestServer.run(.live, configure: { $0.registration.isOpen = true }) { server in
            let signIn = SignInLooks(server: server)
            try await compare(try await signIn.prepare(), at: signIn.origin)
        }
    }

    /// Shows each page narrow and wide, one of them light and the other dark, in turn.
    ///
    /// - Parameter body: checks a page as it has been loaded.
    private func check(
        _ looks: [Look], _ group: String, at origin: String, _ body: (Look, BrowserPage) async throws -> Void
    ) async throws {
        var isNarrowDark = false
        try await visit(looks, at: origin) { look, page in
            isNarrowDark.toggle()
            for (width, dark) in [(360, isNarrowDark), (1280, !isNarrowDark)] {
                let theme = dark ? "dark" : "light"
                try await page.resize(
                    width: width, height: width == 360 ? 740 : 800, dark: dark, reducedMotion: true)
                // What is pressed on the way into an app can be pressed once.
                if width == 360 || group != "signin" { try await look.show(on: page, at: origin) }
                try await page.evaluate(Look.painting)
                try await body(look, page)
                if width == 360, group != "console" {
                    try await page.resize(width: 320, height: 640, dark: dark, reducedMotion: true)
                    try await body(look, page)
                    try await page.resize(width: width, height: 740, dark: dark, reducedMotion: true)
                }
                try await page.screenshot("\(group)-\(look.name)-\(width)-\(theme)", whole: group != "console")
                try await page.evaluate(Self.unfold)
                try await page.evaluate(Look.painting)
                for violation in try await page.violations() {
                    Issue.record("\(look.name), \(width) pixels, \(theme): \(violation)")
                }
            }
        }
    }

    private func compare(_ looks: [Look], at origin: String) async throws {
        try await visit(looks.filter(\.action.isEmpty), at: origin) { look, page in
            try await page.open(origin + look.path)
            let words = try await page.evaluate(Self.words).array ?? []
            #expect(!words.isEmpty, "\(look.name)")
            try await page.send("Emulation.setScriptExecutionDisabled", ["value": .bool(true)])
            try await page.open("about:blank")
            try await page.open(origin + look.path)
            let without = Set(try await page.evaluate(Self.words).array ?? [])
            #expect(words.filter { !without.contains($0) } == [], "\(look.name)")
            try await page.send("Emulation.setScriptExecutionDisabled", ["value": .bool(false)])
        }
    }

    /// Visits the looks of one person after the other, each with a page of their own.
    private func visit(
        _ looks: [Look], at origin: String, _ body: (Look, BrowserPage) async throws -> Void
    ) async throws {
        let browser = try await TestBrowser()
        for person in looks.people {
            let page = try await browser.page()
            if let person { try await page.signIn(person, at: origin) }
            for look in looks where look.person == person { try await body(look, page) }
            #expect(page.faults.filter { !$0.contains("status of 4") } == [])
        }
    }

    /// Unfolds folded parts, which count too; menus stay, since they would cover the rest.
    private static let unfold =
        "for (const details of document.querySelectorAll('details:not(.menu)')) details.open = true"

    /// The lines of a page, save those of controls that need scripts, and of what was read for this very request: the
    /// first query of a kind has an index built for the next. Numbers and ages may have grown in between.
    private static let words = """
        (() => {
            for (const time of document.querySelectorAll("time")) time.textContent = "age"
            const lines = text => text.split("\\n").map(line => line.trim().replace(/[0-9]+/g, "0"))
            const scripted = [...document.querySelectorAll(".scripted, .plan")].flatMap(element => lines(element.innerText))
            return lines(document.body.innerText).filter(line => line && !scripted.includes(line))
        })()
        """
}
