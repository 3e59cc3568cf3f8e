import CloudModel
import TestBrowser
import TestCloud
import Testing

/// Pages in languages that are longer, that run from right to left, and that have no spaces.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct LanguageLookTests {
    private static let names: Set<String> = [
        "signin-app", "forgot", "reset", "account", "account-delete", "gallery", "viewer", "choosing", "owner-settings",
        "text",
        "offer", "password", "nowhere",
    ]

    /// True if the page's content is inside the window.
    private static let isInside = """
        (({left, right}) => left >= 0 && right <= innerWidth)(document.querySelector('main').getBoundingClientRect())
        """

    @Test("Pages fit in German, Arabic and Japanese, narrow and wide")
    func layout() async throws {
        try await TripFixture.run(.live) { trip in
            let looks = try await SharePageLooks(trip: trip).prepare() + SignInLooks(server: trip.server).prepare()
            let shown = looks.filter { Self.names.contains($0.name) }
            #expect(shown.count == Self.names.count)
            let browser = try await TestBrowser()
            for person in shown.people {
                let page = try await browser.page()
                if let person { try await page.signIn(person, at: trip.origin) }
                for tag in ["de", "ar", "ja"] {
                    try await page.open("\(trip.origin)/auth/signin?lang=\(tag)")
                    for look in shown where look.person == person { try await check(look, on: page, trip.origin, tag) }
                }
                #expect(page.faults.filter { !$0.contains("status of 4") } == [])
            }
        }
    }

    /// Loads the page at one width and takes it to the other, where only the room for the words differs: how pages load at
    /// each width is checked in English.
    private func check(_ look: Look, on page: BrowserPage, _ origin: String, _ tag: String) async throws {
        for width in [360, 1280] {
            try await page.resize(width: width, height: width == 360 ? 740 : 800)
            if width == 360 { try await look.show(on: page, at: origin) }
            try await page.evaluate(Look.painting)
            #expect(try await page.text(of: "document.documentElement.lang") == tag)
            try await page.fits()
            #expect(try await page.evaluate(Self.isInside) == .bool(true), "\(look.name) \(tag) \(width)")
            // Chromium moves a picture of more than the window to the side on pages from right to left.
            try await page.screenshot("language-\(tag)-\(look.name)-\(width)", whole: tag != "ar")
        }
    }
}
