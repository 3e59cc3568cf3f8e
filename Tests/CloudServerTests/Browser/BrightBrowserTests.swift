import CloudModel
import CloudServer
import Foundation
import TestAssets
import TestBrowser
import TestCloud
import Testing

/// Pictures with a gain map in the viewer, on screens of both ranges.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct BrightBrowserTests {
    private typealias Album = AlbumFixture

    /// A screen whose range tests choose, as Chromium's own tools cannot.
    private static func script(isHigh: Bool) -> String {
        """
        const screen = Object.assign(new EventTarget(), { matches: \(isHigh) });
        const real = window.matchMedia.bind(window);
        window.matchMedia = query => query === '(dynamic-range: high)' ? screen : real(query);
        window.setRange = isHigh => { screen.matches = isHigh; screen.dispatchEvent(new Event('change')); };
        """
    }

    /// The names of the items whose originals were asked for, in turn.
    private static let originals = """
        performance.getEntriesByType('resource').map(entry => entry.name).filter(name => name.includes('/media/'))
        """
    private static let count = "\(originals).length"
    private static let isAfterPreview = """
        (() => {
            const names = performance.getEntriesByType('resource').map(entry => entry.name);
            const original = names.findIndex(name => name.includes('/media/'));
            const key = names[original].split('/').pop().split('?')[0];
            const preview = names.findIndex(name => /preview.(medium|large)/.test(name) && name.includes(key));
            return preview >= 0 && preview < original;
        })()
        """
    private static let showsOriginal = "\(AlbumFixture.shown)?.src.includes('/media/')"
    /// The place and size of what is shown.
    private static let box = """
        (({x, y, width, height}) => [x, y, width, height].map(Math.round).join())(\(AlbumFixture.shown).getBoundingClientRect())
        """

    @Test("The original of a picture with a gain map is shown on screens of high range, and nowhere else")
    func screens() async throws {
        try await TripFixture.run(.live) { trip in
            let browser = try await TestBrowser()
            let page = try await browser.page()
            let album = try await AlbumFixture.make(trip, [("plain", "coffee")], on: page)
            let bright = Data(MediaFile.withGainMap([UInt8](try TripFixture.photo("hubble"))))
            for name in ["one", "two"] { try await AlbumFixture.add(name, bright, to: trip) }
            let large = bright.dropLast(2) + Data(count: 20_000_001 - bright.count) + bright.suffix(2)
            try await AlbumFixture.add("large", large, to: trip)
            // Their facts are read once they are asked for.
            try await page.open(album.address)
            try await page.evaluate(
                """
                Promise.all([...document.querySelectorAll('[data-download]')]
                    .map(item => fetch(item.dataset.download, { method: 'HEAD' })))
                """)
            try await page.open("about:blank")
            // The last one takes the downloads away.
            for (isHigh, visit) in [(true, self.bright), (false, standard), (true, moving), (true, withoutDownloads)]
                as [(Bool, (AlbumFixture) async throws -> Void)]
            {
                let page = try await browser.page()
                try await page.send(
                    "Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.script(isHigh: isHigh))])
                try await page.open(album.address)
                try await visit(AlbumFixture(trip: trip, page: page, guid: album.guid))
                #expect(page.faults == [])
                try await page.open("about:blank")
            }
        }
    }

    private func open(_ name: String, _ album: AlbumFixture) async throws {
        try await album.page.evaluate("document.querySelector('.photo:has([alt=\"\(name)\"])').click()")
        try await album.page.wait(for: Album.isOpen)
        try await album.waits(for: name)
    }

    /// Only the original of the shown picture is asked for, once, and stands in the preview's box.
    private func bright(_ album: AlbumFixture) async throws {
        let page = album.page
        // The pictures are larger.
        try await page.resize(width: 600, height: 500)
        #expect(try await page.evaluate("document.querySelectorAll('[data-hdr=jpeg]').length") == .integer(2))
        try await open("plain", album)
        try await page.wait(for: "\(Album.shown)?.complete")
        #expect(try await page.evaluate(Self.count) == .integer(0))
        try await page.press("ArrowRight")
        try await album.waits(for: "one")
        try await page.wait(for: Self.showsOriginal)
        #expect(try await page.evaluate(Self.isAfterPreview) == true)
        #expect(try await page.evaluate(Self.count) == .integer(1))
        let shown = try await page.text(of: Self.box)
        let alt = try await page.text(of: "\(Album.shown).alt")
        #expect(alt == "one")
        // The preview is there again on a screen of standard range, in the same box.
        try await page.evaluate("setRange(false)")
        #expect(try await page.evaluate("\(Album.shown).src.includes('/preview/')") == true)
        #expect(try await page.text(of: Self.box) == shown)
        #expect(try await page.evaluate(Self.count) == .integer(1))
        try await page.press("ArrowRight")
        try await album.waits(for: "two")
        #expect(try await page.evaluate(Self.count) == .integer(1))
        // And the original on one of high range.
        try await page.evaluate("setRange(true)")
        try await page.wait(for: Self.showsOriginal)
        #expect(try await page.evaluate(Self.count) == .integer(2))
        // Zooming and saving work on the original, too.
        try await page.evaluate("document.querySelector('.pswp__button--zoom').click()")
        try await page.wait(for: "\(Album.shown).getBoundingClientRect().width > innerWidth")
        #expect(
            try await page.evaluate("document.querySelector('.pswp__button--download').href.includes('/download/')")
                == true)
        #expect(try await page.evaluate(Self.showsOriginal) == true)
        try await page.press("ArrowRight")
        try await album.waits(for: "large")
        try await page.wait(for: "\(Album.shown)?.complete")
        #expect(try await page.evaluate(Self.count) == .integer(2))
    }

    /// A screen of standard range asks for no original.
    private func standard(_ album: AlbumFixture) async throws {
        let page = album.page
        try await open("plain", album)
        for name in ["one", "two", "large"] {
            try await page.press("ArrowRight")
            try await album.waits(for: name)
            try await page.wait(for: "\(Album.shown)?.complete")
        }
        #expect(try await page.evaluate(Self.count) == .integer(0))
    }

    /// Without downloads no original is asked for.
    private func withoutDownloads(_ album: AlbumFixture) async throws {
        let page = album.page
        _ = try await album.trip.settle(#"{"downloads": "none"}"#, id: album.guid)
        try await page.open(album.address)
        #expect(try await page.evaluate("document.querySelectorAll('[data-hdr]').length") == .integer(0))
        try await open("one", album)
        try await page.wait(for: "\(Album.shown)?.complete")
        try await page.press("ArrowRight")
        try await album.waits(for: "two")
        try await page.wait(for: "\(Album.shown)?.complete")
        #expect(try await page.evaluate(Self.count) == .integer(0))
    }

    /// An original that is on its way is given up when the visitor moves on.
    private func moving(_ album: AlbumFixture) async throws {
        let page = album.page
        // An answer that never comes.
        try await page.send(
            "Fetch.enable",
            [
                "patterns": .array([
                    .object(
                        JSONObject([
                            .init(key: "urlPattern", value: .string("*/media/*"))
                        ]))
                ])
            ])
        try await page.evaluate(
            """
            [window.asked, window.given] = [[], []];
            const source = Object.getOwnPropertyDescriptor(Image.prototype, 'src');
            Object.defineProperty(Image.prototype, 'src', { ...source, set(address) {
                if (address.includes('/media/')) asked.push(address);
                source.set.call(this, address);
            } });
            const removed = Image.prototype.removeAttribute;
            Image.prototype.removeAttribute = function (name) {
                if (name === 'src' && this.src.includes('/media/')) given.push(this.src);
                removed.call(this, name);
            };
            """)
        try await open("one", album)
        try await page.wait(for: "asked.length === 1")
        try await page.press("ArrowRight")
        try await album.waits(for: "two")
        try await page.wait(for: "given.length === 1")
        #expect(try await page.evaluate("given[0].endsWith(asked[0])") == true)
        #expect(try await page.evaluate(Self.showsOriginal) == false)
    }
}
