import CloudModel
import Foundation
import TestBrowser
import TestCloud
import Testing

/// What a phone loads of a page with many photos before anybody scrolls.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FirstPaintBrowserTests {
    /// The page's loads by kind, in bytes sent.
    private static let loads = """
        (() => {
            const seen = [...document.querySelectorAll('.photo img')].filter(image => {
                const box = image.getBoundingClientRect();
                return box.top < innerHeight && box.bottom > 0;
            });
            const names = new Set(seen.map(image => image.currentSrc));
            const entries = performance.getEntriesByType('resource');
            const sum = list => list.reduce((bytes, entry) => bytes + entry.transferSize, 0);
            const isPicture = entry => entry.name.includes('/preview/');
            const shown = entries.filter(entry => names.has(entry.name));
            const page = sum(performance.getEntriesByType('navigation')) + sum(entries.filter(e => !isPicture(e)));
            return {
                page, whole: page + sum(shown), shown: shown.length, seen: seen.length,
                others: entries.filter(entry => !isPicture(entry)).map(entry => entry.name.split('/').pop()),
                wrong: seen.filter(image => !image.currentSrc.includes('/preview/tile/')).length,
                loaded: seen.every(image => image.complete && image.naturalWidth > 0),
            };
        })()
        """

    /// Writes the page in three pieces. Gives the box of its title after the first and the last, and those of its first tiles
    /// after the second and the last.
    private static let pieces = """
        (async () => {
            const text = await (await fetch(location.href)).text();
            const ends = [...text.matchAll(/<\\/li>/g)].map(match => match.index + 5);
            const cut = ends.find(end => text.slice(0, end).split('class="tile').length > 2);
            const box = element => {
                const { x, y, width, height } = element.getBoundingClientRect();
                return [x, y, width, height].map(Math.round);
            };
            const boxes = () => [...document.querySelectorAll('.tile')].slice(0, 2).map(box);
            const title = () => box(document.querySelector('h1'));
            const heading = text.indexOf('</header>');
            document.open();
            document.write(text.slice(0, heading));
            await new Promise(done => {
                const look = () => {
                    const main = document.querySelector('.intro') && document.querySelector('main');
                    if (main && getComputedStyle(main).flexGrow === '1') done(); else setTimeout(look, 15);
                };
                look();
            });
            const titleBefore = title();
            document.write(text.slice(heading, cut));
            await new Promise(done => {
                const look = () => {
                    const isStyled = document.querySelector('.grid') && getComputedStyle(document.querySelector('.grid')).listStyleType === 'none';
                    if (isStyled && document.querySelectorAll('.tile').length === 2) done(); else setTimeout(look, 15);
                };
                look();
            });
            const before = boxes();
            document.write(text.slice(cut));
            document.close();
            await new Promise(done => {
                const look = () => { if (document.readyState === 'complete') done(); else setTimeout(look, 15); };
                look();
            });
            return {
                titleBefore, titleAfter: title(), before, after: boxes(),
                tiles: document.querySelectorAll('.tile').length,
            };
        })()
        """

    @Test("The title and the tiles stay in their places while the rest of the page comes in")
    func inPieces() async throws {
        try await TripFixture.run(.live) { trip in
            let page = try await TestBrowser().page()
            let names = ["astronaut", "cat", "coffee", "flower"]
            for count in [3, 4, 8] {
                try await trip.publish("pieces\(count)", photos: (0..<count).map { names[$0 % names.count] })
                for width in [360, 1280] {
                    try await page.resize(width: width, height: 740)
                    try await page.open(trip.origin + "/share/pieces\(count)")
                    let boxes = try await page.evaluate(Self.pieces)
                    #expect(boxes[path: "tiles"]?.integer == Int64(count), "\(width): \(boxes)")
                    #expect(
                        boxes[path: "titleBefore"] != nil && boxes[path: "titleBefore"] == boxes[path: "titleAfter"],
                        "\(width): \(boxes)")
                    #expect(
                        boxes[path: "before"] != nil && boxes[path: "before"] == boxes[path: "after"],
                        "\(width): \(boxes)")
                }
            }
        }
    }

    /// What a page may take.
    private struct Budget {
        let path: String
        let items: Int
        /// The fewest pictures of the first screen.
        let seen: Int64
        /// The most loads beside the pictures, the page itself not among them.
        let others: Int
    }

    @Test(
        "Pages of 1, 8, 50 and 5,000 pictures on a phone take 60 kB before the first picture, 400 kB and few requests for the first screen; none of up to 50 shifts"
    )
    func budgets() async throws {
        try await TripFixture.run(.live) { trip in
            let names = ["astronaut", "cat", "coffee", "flower", "hubble", "moon", "rocket", "temple"]
            for count in [1, 8, 50] {
                try await trip.publish("page\(count)", photos: (0..<count).map { names[$0 % names.count] })
            }
            let long = try await LongAlbum.make(trip, records: 50, pictures: 100)
            let browser = try await TestBrowser()
            for budget in [
                Budget(path: "/share/page1", items: 1, seen: 1, others: 5),
                Budget(path: "/share/page8", items: 8, seen: 6, others: 5),
                Budget(path: "/share/page50", items: 50, seen: 12, others: 5),
                Budget(path: long.path, items: 5000, seen: 12, others: 8),
            ] {
                // Nothing of a page is in the cache.
                let page = try await browser.page(width: 360, height: 740)
                try await hold(budget, at: trip.origin, on: page)
                if budget.items == 50 { try await bringsItsStyle(page) }
                #expect(page.faults == [])
            }
        }
    }

    private func hold(_ budget: Budget, at origin: String, on page: BrowserPage) async throws {
        try await page.send(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(360), "height": .integer(740), "deviceScaleFactor": .integer(3),
                "mobile": .bool(true),
            ])
        try await page.watchShifts()
        try await page.open(origin + budget.path)
        try await page.wait(for: "\(Self.loads).loaded")
        let loads = try await page.evaluate(Self.loads)
        let number = { (name: String) in loads[path: name]?.integer ?? -1 }
        let told = Comment(rawValue: "\(budget.items): \(loads)")
        #expect(number("seen") >= budget.seen && number("shown") == number("seen"), told)
        // Few pictures are larger than tiles.
        #expect(number("wrong") == 0 || budget.items < 10, told)
        #expect((1...60_000).contains(number("page")), told)
        #expect((1...400_000).contains(number("whole")), told)
        for name in ["photoswipe.css", "photoswipe.esm.min.js", "viewer.js", "viewer.css", "saving.js"] {
            #expect(loads[path: "others"]?.array?.contains(.string(name)) == false, told)
        }
        #expect((loads[path: "others"]?.array?.count ?? 99) <= budget.others, told)
        try await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        let last = "[...document.querySelectorAll('#photos > li')].at(-1)"
        try await page.wait(
            for: """
                \(last)?.querySelector('img')?.naturalWidth > 0
                    && (\(budget.items) <= 100 || \(last).getAttribute('aria-posinset') === '\(budget.items)')
                """)
        // The grid of a long page takes tiles out and in while it is scrolled.
        guard budget.items <= 100 else { return }
        try await page.evaluate(Look.painting)
        #expect(try await page.shifts == [], told)
    }

    /// The viewer brings its own style.
    private func bringsItsStyle(_ page: BrowserPage) async throws {
        try await page.evaluate("document.querySelector('.photo').click()")
        try await page.wait(for: "document.querySelectorAll('.pswp__item')[2]?.style.display === 'block'")
        #expect(
            try await page.evaluate("getComputedStyle(document.querySelector('.pswp')).position === 'fixed'") == true)
        try await page.wait(for: "document.querySelector('.pswp__img:not(.pswp__img--placeholder)')?.complete")
        #expect(try await page.evaluate("document.querySelector('img.pswp__img--placeholder')") == .null)
    }
}
