import CloudHTTP
import CloudModel
import CloudPages
import CloudServer
import CloudWire
import Foundation
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

    /// Words that are wider or higher than their button, heading or label.
    private static let cut = """
        [...document.querySelectorAll('button, .button, summary, label, option, h1, h2, legend, th, dt')].filter(element =>
            element.checkVisibility() && !element.closest('.unseen') && getComputedStyle(element).display !== 'inline'
            && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 3)
        ).map(element => element.outerHTML)
        """

    @Test("Pages fit and pass the accessibility rules in German, Arabic and Japanese")
    func layout() async throws {
        try await TripFixture.run(.live) { trip in
            let looks = try await SharePageLooks(trip: trip).prepare() + SignInLooks(server: trip.server).prepare()
            let shown = looks.filter { Self.names.contains($0.name) }
            #expect(shown.count == Self.names.count)
            try await check(shown, in: ["de", "ar", "ja"], trip)
        }
    }

    @Test(
        "Every page for people fits and passes the accessibility rules in a language with words 40 % longer than English"
    )
    func longer() async throws {
        let texts = try LongTexts()
        defer { texts.remove() }
        let pages = try PageFiles(PublicFiles(folder: nil), texts: texts.folder.path())
        try await TripFixture.run(.live, configure: { $0.registration.isOpen = true }, pages: pages) { trip in
            let looks = try await SharePageLooks(trip: trip).prepare() + SignInLooks(server: trip.server).prepare()
            try await check(looks, in: [LongTexts.tag], trip)
        }
    }

    private func check(_ looks: [Look], in tags: [String], _ trip: TripFixture) async throws {
        let browser = try await TestBrowser()
        var turn = 0
        for person in looks.people {
            let page = try await browser.page()
            if let person { try await page.signIn(person, at: trip.origin) }
            for tag in tags {
                try await page.open("\(trip.origin)/auth/signin?lang=\(tag)")
                for look in looks where look.person == person {
                    turn += 1
                    try await check(look, on: page, trip.origin, tag, turn)
                }
            }
            #expect(page.faults.filter { !$0.contains("status of 4") } == [])
        }
    }

    /// Loads the page at one width and takes it to the other, where only the room for the words differs: how pages load at
    /// each width is checked in English.
    ///
    /// - Parameter turn: themes, and the widths at which the rules are held, go round with it.
    private func check(_ look: Look, on page: BrowserPage, _ origin: String, _ tag: String, _ turn: Int) async throws {
        let dark = turn.isMultiple(of: 2)
        let place = "\(look.name) \(tag) \(dark ? "dark" : "light")"
        for width in [360, 1280] {
            try await page.resize(
                width: width, height: width == 360 ? 740 : 800, dark: dark, reducedMotion: true)
            if width == 360 { try await look.show(on: page, at: origin) }
            try await page.evaluate(Look.painting)
            #expect(try await page.text(of: "document.documentElement.lang") == tag)
            try await page.fits("\(place) \(width)")
            #expect(try await page.evaluate(Self.isInside) == .bool(true), "\(place) \(width)")
            #expect(try await page.evaluate(Self.cut) == .array([]), "\(place) \(width)")
            // Chromium moves a picture of more than the window to the side on pages from right to left.
            try await page.screenshot("language-\(tag)-\(look.name)-\(width)", whole: tag != "ar")
            if width == [360, 1280][turn / 2 % 2] {
                #expect(try await page.violations() == [], "\(place) \(width)")
            }
        }
    }
}
