import CloudModel
import CloudServer
import CloudWire
import TestBrowser
import TestCloud
import Testing

/// Pages in a browser whose letters are twice as large (WCAG 2.2, 1.4.4).
@Suite(.serialized, .timeLimit(.minutes(20)))
struct LargeTextBrowserTests {
    /// Controls with text that their box cuts.
    private static let cut = """
        [...document.querySelectorAll('button, .button, summary, label, h1, h2, dt, dd, p')]
            .filter(e => e.checkVisibility() && e.getBoundingClientRect().width > 1
                && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)
                && getComputedStyle(e).overflow !== 'visible')
            .map(e => e.outerHTML.slice(0, 200))
        """
    private static let excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

    @Test("No page scrolls sideways or cuts a text at twice the size of letters")
    func letters() async throws {
        try await TripFixture.run(.live, configure: { $0.registration.isOpen = true }) { trip in
            let looks = try await SharePageLooks(trip: trip).prepare() + SignInLooks(server: trip.server).prepare()
            let browser = try await TestBrowser()
            for person in looks.people {
                let page = try await browser.page(width: 1280, height: 800)
                if let person { try await page.signIn(person, at: trip.origin) }
                let sizes = JSONObject([
                    .init(key: "standard", value: .integer(32)), .init(key: "fixed", value: .integer(26)),
                ])
                try await page.send("Page.setFontSizes", ["fontSizes": .object(sizes)])
                for look in looks where look.person == person {
                    try await look.show(on: page, at: trip.origin)
                    #expect(
                        try await page.evaluate("getComputedStyle(document.documentElement).fontSize === '32px'")
                            == true)
                    for (width, height) in [(1280, 800), (360, 740)] {
                        try await page.resize(width: width, height: height)
                        #expect(try await page.evaluate(Self.excess) == 0, "\(look.name) \(width)")
                        #expect(try await page.evaluate(Self.cut) == .array([]), "\(look.name) \(width)")
                        try await page.screenshot("letters-\(look.name)-\(width)")
                    }
                    try await page.resize(width: 1280, height: 800)
                }
            }
        }
    }
}
