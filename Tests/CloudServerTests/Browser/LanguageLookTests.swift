import CloudModel
import TestBrowser
import TestCloud
import Testing

/// Pages in languages that are longer, that run from right to left, and that have no spaces. The pictures of them are kept.
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

    @Test("Pages fit in German, Arabic and Japanese, narrow and wide", arguments: ["de", "ar", "ja"])
    func layout(tag: String) async throws {
        try await TripFixture.run(.live) { trip in
            let looks = try await SharePageLooks(trip: trip).prepare() + SignInLooks(server: trip.server).prepare()
            let shown = looks.filter { Self.names.contains($0.name) }
            #expect(shown.count == Self.names.count)
            // A hundred pictures take their time on a busy machine.
            let browser = try await TestBrowser(bound: 1200)
            for person in shown.people {
                let page = try await browser.page()
                if let person { try await page.signIn(person, at: trip.origin) }
                try await page.open("\(trip.origin)/auth/signin?lang=\(tag)")
                for look in shown where look.person == person {
                    for width in [360, 1280] {
                        try await page.resize(width: width, height: width == 360 ? 740 : 800)
                        try await look.show(on: page, at: trip.origin)
                        #expect(try await page.text(of: "document.documentElement.lang") == tag)
                        try await page.fits()
                        #expect(try await page.evaluate(Self.isInside) == .bool(true), "\(look.name) \(width)")
                        // Chromium moves a picture of more than the window to the side on pages from right to left.
                        try await page.screenshot("language-\(tag)-\(look.name)-\(width)", whole: tag != "ar")
                    }
                }
                #expect(page.faults.filter { !$0.contains("status of 4") } == [])
            }
        }
    }
}
