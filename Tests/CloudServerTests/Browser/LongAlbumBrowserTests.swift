import CloudModel
import Foundation
import TestBrowser
import TestCloud
import Testing

/// A page of 5,000 pictures in a browser: the grid, its keys and its slider, by requests and elements.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct LongAlbumBrowserTests {
    /// Counts requests from now on, and the most elements at any time.
    private static let watch = """
        window.mostElements = 0;
        window.mostTiles = 0;
        addEventListener('DOMContentLoaded', () => {
            const count = () => {
                mostElements = Math.max(mostElements, document.getElementsByTagName('*').length);
                mostTiles = Math.max(mostTiles, document.querySelectorAll('#photos > li').length);
            };
            new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
            count();
        });
        performance.setResourceTimingBufferSize(5000);
        """
    /// The first part of the page is whole until the grid begins.
    private static let forget = "mostElements = mostTiles = 0"
    private static let begin = "void performance.clearResourceTimings()"
    private static let requests = "performance.getEntriesByType('resource').length"
    private static let addresses = "performance.getEntriesByType('resource').map(entry => entry.name)"
    private static let isLong = "!!document.querySelector('[role=slider]')"
    private static let lastIsShown = isInSight(5000)

    /// Whether a picture is loaded and in sight.
    private static func isInSight(_ number: Int) -> String {
        """
        (() => {
            const image = document.querySelector('#photos > [aria-posinset="\(number)"] img');
            const box = image?.getBoundingClientRect();
            return !!image && image.complete && image.naturalWidth > 0 && box.top < innerHeight && box.bottom > 0;
        })()
        """
    }

    @Test("Of 5,000 pictures the last is reached in few requests, choices stay, and new ones are announced")
    func all() async throws {
        try await TripFixture.run(.live) { trip in
            let album = try await LongAlbum.make(trip, records: 100, pictures: 50)
            let browser = try await TestBrowser()
            var mark = ""
            try await visit(album, try await browser.page()) { mark = try await last(album, $0) }
            // Nothing of the page is in its cache.
            try await linked(album, mark, try await browser.page())
            try await visit(album, try await browser.page(width: 360, height: 740)) { try await choices($0) }
            try await visit(album, try await browser.page(width: 360, height: 740)) { try await scrolled($0) }
            // It comes last, since it adds to the album.
            try await visit(album, try await browser.page()) { try await added(album, $0) }
        }
    }

    private func visit(
        _ album: LongAlbum, _ page: BrowserPage, _ body: (BrowserPage) async throws -> Void
    ) async throws {
        try await page.send("Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watch)])
        try await page.watchShifts()
        try await page.open(album.trip.origin + album.path)
        try await page.wait(for: Self.isLong)
        try await page.evaluate(Self.forget)
        try await body(page)
        #expect(try await page.evaluate("mostElements <= 3000 && mostTiles <= 600") == true)
        try await page.open("about:blank")
    }

    /// - Parameter least: the fewest requests; 0 if the window may be loaded already.
    private func expectFewRequests(_ page: BrowserPage, least: Int64 = 1) async throws {
        let count = try #require(try await page.evaluate(Self.requests).integer)
        #expect((least...40).contains(Int64(count)), "\(count) requests")
    }

    /// The last picture is reached by slider and by keys, in few requests.
    ///
    /// - Returns: its mark.
    private func last(_ album: LongAlbum, _ page: BrowserPage) async throws -> String {
        // The page has its full height before its windows load.
        #expect(try await page.evaluate("document.documentElement.scrollHeight > 200000") == true)
        try await page.evaluate(Self.begin)
        try await page.evaluate("document.querySelector('[role=slider]').focus()")
        try await page.press("End")
        try await page.wait(for: Self.lastIsShown)
        try await expectFewRequests(page)
        #expect(
            try await page.text(of: "document.querySelector('[role=slider]').getAttribute('aria-valuenow')")
                == "5000")
        try await page.press("Home")
        try await page.wait(
            for: "scrollY < 1000 && !!document.querySelector('#photos > [aria-posinset=\"1\"] img')")

        try await page.evaluate(Self.begin)
        try await page.evaluate("document.querySelector('#photos a[tabindex=\"0\"]').focus()")
        try await page.press("End")
        try await page.wait(for: Self.lastIsShown)
        try await page.wait(for: "document.activeElement.closest('li')?.getAttribute('aria-posinset') === '5000'")
        try await expectFewRequests(page, least: 0)
        #expect(
            try await page.evaluate("document.querySelectorAll('#photos a[tabindex=\"0\"]').length === 1") == true)
        let mark = try await page.text(of: "document.activeElement.dataset.mark")
        try await page.press("ArrowLeft")
        try await page.wait(for: "document.activeElement.closest('li')?.getAttribute('aria-posinset') === '4999'")
        return mark
    }

    /// The last picture is reached by its link, in few requests with all of the page.
    private func linked(_ album: LongAlbum, _ mark: String, _ page: BrowserPage) async throws {
        try await page.open("\(album.trip.origin)\(album.path)#photo-\(mark)")
        try await page.wait(for: AlbumFixture.isOpen)
        #expect(try await page.text(of: "document.querySelector('.pswp__counter').textContent") == "5000 / 5000")
        try await page.wait(for: "\(AlbumFixture.shown)?.complete === true")
        let visit = try #require(try await page.evaluate(Self.addresses).array)
        #expect((10..<40).contains(visit.count), "\(visit)")
        let windows = try await page.evaluate(
            "performance.getEntriesByType('resource').filter(entry => entry.name.includes('/items?')).length")
        #expect((1...3).contains(windows.integer ?? 99), "\(windows)")
        try await page.press("ArrowLeft")
        try await page.wait(for: "document.querySelector('.pswp__counter').textContent === '4999 / 5000'")
        try await page.press("Escape")
        try await page.wait(for: AlbumFixture.isClosed)
        // The grid behind is at the picture.
        try await page.wait(for: Self.isInSight(4999))

        // The picture before a window's first one belongs to another window.
        let first = try await page.text(
            of:
                "fetch(location.pathname + '/items?from=4800&count=1').then(a => a.json()).then(found => found.marks[0])"
        )
        try await page.open("about:blank")
        try await page.open("\(album.trip.origin)\(album.path)#photo-\(first)")
        try await page.wait(for: AlbumFixture.isOpen)
        #expect(try await page.text(of: "document.querySelector('.pswp__counter').textContent") == "4801 / 5000")
        try await page.press("ArrowLeft")
        try await page.wait(for: "document.querySelector('.pswp__counter').textContent === '4800 / 5000'")
        #expect(page.faults == [])
    }

    /// Choices stay when their pictures leave the document, and the viewer goes on past what has come.
    private func choices(_ page: BrowserPage) async throws {
        try await page.evaluate("document.querySelector('#photos a[tabindex=\"0\"]').focus()")
        try await page.press(" ")
        try await page.wait(for: "document.body.classList.contains('choosing')")
        #expect(try await page.text(of: "document.getElementById('chosen').value") == "1 chosen")
        try await page.evaluate("document.querySelector('[role=slider]').focus()")
        try await page.press("End")
        try await page.wait(for: Self.lastIsShown)
        try await page.evaluate("document.querySelector('#photos > [aria-posinset=\"5000\"] input').click()")
        let sent = """
            (() => new FormData(document.getElementById('files')).getAll('i').length)()
            """
        #expect(try await page.evaluate("\(sent) === 2") == true)
        try await page.press("Home")
        try await page.wait(
            for: "document.querySelector('#photos > [aria-posinset=\"1\"] input')?.checked === true")
        #expect(try await page.evaluate("\(sent) === 2") == true)
        try await page.press("Escape")
        // Far from what the page came with.
        try await page.evaluate("document.querySelector('#photos > [aria-posinset=\"100\"] a')?.click()")
        #expect(page.faults == [])
    }

    /// The slider shifts nothing while the page is scrolled down and up by script.
    private func scrolled(_ page: BrowserPage) async throws {
        let down = """
            (async () => {
                const frame = () => new Promise(done => requestAnimationFrame(done));
                for (const step of [...Array(40).fill(4000), ...Array(20).fill(-7800)]) {
                    scrollBy(0, step);
                    await frame();
                }
                return scrollY;
            })()
            """
        #expect(try await page.evaluate(down).integer == 4000)
        let shifts = try await page.shifts ?? []
        #expect(shifts.filter { $0.string?.contains(#/scrubber|rail|thumb/#) != false } == [])
        // Of a page that has to wait for a busy machine.
        if !shifts.isEmpty { Issue.record("\(shifts)", severity: .warning) }
    }

    /// Pictures added meanwhile move nothing and are announced by a button.
    private func added(_ album: LongAlbum, _ page: BrowserPage) async throws {
        try await album.add("new")
        let height = try await page.evaluate("document.documentElement.scrollHeight")
        try await page.evaluate("document.querySelector('[role=slider]').focus()")
        try await page.press("End")
        try await page.wait(for: "!!document.getElementById('changed')")
        #expect(
            try await page.evaluate("document.documentElement.scrollHeight - \(height.integer ?? 0) < 100") == true)
        try await page.load { try await page.evaluate("document.getElementById('changed').click()") }
        try await page.wait(for: Self.isLong)
        try await page.evaluate(Self.forget)
        // It begins where it was.
        try await page.wait(for: "scrollY > 100000")
        #expect(
            try await page.text(of: "document.querySelector('[role=slider]').getAttribute('aria-valuemax')")
                == "5001")
    }
}
