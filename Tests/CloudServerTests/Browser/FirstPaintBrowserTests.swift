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

    private static let watchShifts = """
        window.shift = 0;
        new PerformanceObserver(list => list.getEntries().forEach(entry => { window.shift += entry.value; }))
            .observe({ type: 'layout-shift', buffered: true });
        """

    /// Writes the page in two pieces, and gives the boxes of its first tiles after each.
    private static let twice = """
        (async () => {
            const text = await (await fetch(location.href)).text();
            const ends = [...text.matchAll(/<\\/li>/g)].map(match => match.index + 5);
            const cut = ends.find(end => text.slice(0, end).split('class="tile').length > 2);
            const boxes = () => [...document.querySelectorAll('.tile')].slice(0, 2).map(tile => {
                const { x, y, width, height } = tile.getBoundingClientRect();
                return [x, y, width, height].map(Math.round);
            });
            document.open();
            document.write(text.slice(0, cut));
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
            return { before, after: boxes(), tiles: document.querySelectorAll('.tile').length };
        })()
        """

    @Test("Tiles stay in their places while the rest of the page comes in", arguments: [360, 1280], [3, 4, 8])
    func pieces(width: Int, count: Int) async throws {
        try await TripFixture.run(.live) { trip in
            let names = ["astronaut", "cat", "coffee", "flower"]
            try await trip.publish("pieces", photos: (0..<count).map { names[$0 % names.count] })
            let page = try await TestBrowser().page(width: width, height: 740)
            try await page.open(trip.origin + "/share/pieces")
            let boxes = try await page.evaluate(Self.twice)
            #expect(boxes[path: "tiles"]?.integer == Int64(count), "\(boxes)")
            #expect(boxes[path: "before"] != nil && boxes[path: "before"] == boxes[path: "after"], "\(boxes)")
        }
    }

    @Test("50 photos on a phone take 60 kB before the first picture and 400 kB for the first screen")
    func budget() async throws {
        try await TripFixture.run(.live) { trip in
            let names = ["astronaut", "cat", "coffee", "flower", "hubble", "moon", "rocket", "temple"]
            try await trip.publish("fifty", photos: (0..<50).map { names[$0 % names.count] })
            let page = try await TestBrowser().page(width: 360, height: 740)
            try await page.send(
                "Emulation.setDeviceMetricsOverride",
                [
                    "width": .integer(360), "height": .integer(740), "deviceScaleFactor": .integer(3),
                    "mobile": .bool(true),
                ])
            try await page.send("Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watchShifts)])
            try await page.open(trip.origin + "/share/fifty")
            try await page.wait(for: "\(Self.loads).loaded")
            let loads = try await page.evaluate(Self.loads)
            let number = { (name: String) in loads[path: name]?.integer ?? -1 }
            #expect(number("seen") >= 12 && number("shown") == number("seen") && number("wrong") == 0, "\(loads)")
            #expect((1...60_000).contains(number("page")), "\(loads)")
            #expect((1...400_000).contains(number("whole")), "\(loads)")
            for name in ["photoswipe.css", "photoswipe.esm.min.js", "viewer.js", "viewer.css", "saving.js"] {
                #expect(loads[path: "others"]?.array?.contains(.string(name)) == false, "\(loads)")
            }
            #expect((loads[path: "others"]?.array?.count ?? 99) <= 5, "\(loads)")
            try await page.evaluate("scrollTo(0, document.body.scrollHeight)")
            try await page.wait(for: "[...document.querySelectorAll('.photo img')].at(-1).naturalWidth > 0")
            #expect(try await page.evaluate("window.shift == 0") == true)
            // The viewer brings its own style.
            try await page.evaluate("document.querySelector('.photo').click()")
            try await page.wait(for: "document.querySelectorAll('.pswp__item')[2]?.style.display === 'block'")
            #expect(
                try await page.evaluate("getComputedStyle(document.querySelector('.pswp')).position === 'fixed'")
                    == true)
            try await page.wait(for: "document.querySelector('.pswp__img:not(.pswp__img--placeholder)')?.complete")
            #expect(try await page.evaluate("document.querySelector('img.pswp__img--placeholder')") == .null)
            #expect(page.faults == [])
        }
    }
}
