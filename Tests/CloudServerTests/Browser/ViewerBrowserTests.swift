import CloudModel
import CloudPages
import CloudServer
import Foundation
import TestBrowser
import TestCloud
import Testing

/// The viewer of share pages in a browser: pictures and videos, slideshow, details, links and panoramas.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ViewerBrowserTests {
    private typealias Album = AlbumFixture

    private static let mixed: [(name: String, bytes: String)] = [("one", "cat"), ("two", "video"), ("three", "coffee")]

    private func withAlbum(
        _ items: [(name: String, bytes: String)] = mixed, posters: Bool = true,
        _ body: @Sendable (AlbumFixture, TestBrowser) async throws -> Void
    ) async throws {
        try await TripFixture.run(.live, configure: { $0.posters = posters }) { trip in
            let browser = try await TestBrowser()
            let album = try await AlbumFixture.make(trip, items, on: try await browser.page())
            try await album.page.open(album.address)
            try await body(album, browser)
            #expect(album.page.faults == [])
        }
    }

    /// Visitors share an album and a browser.
    @Test("Pictures and videos in the viewer: sequence, slideshow, details, links and the accessibility rules")
    func visits() async throws {
        try await withAlbum { album, browser in
            for visit in [sequence, video, slideshow, details, link, rules] {
                let page = try await browser.page()
                try await page.open(album.address)
                try await visit(AlbumFixture(trip: album.trip, page: page, guid: album.guid))
                #expect(page.faults == [])
                try await page.open("about:blank")
            }
        }
    }

    /// Pictures and videos are one sequence in the order of the page.
    private func sequence(_ album: AlbumFixture) async throws {
        let page = album.page
        try await page.click(".tile:first-child .photo")
        try await page.wait(for: Album.isOpen)
        try await album.waits(for: "one")
        #expect(try await page.text(of: "document.querySelector('.pswp__counter').textContent") == "1 / 3")
        try await page.press("ArrowRight")
        try await album.waits(for: "two")
        // Its shape is known before it is loaded, and stays.
        let box = "(({width, height}) => Math.round(width / height * 9))(\(Album.shown).getBoundingClientRect())"
        let shape = try await page.evaluate(box)
        try await page.wait(for: "\(Album.shown).videoWidth === 64")
        #expect(try await page.evaluate(box) == shape)
        #expect(try await page.evaluate("\(Album.shown).paused && \(Album.shown).controls") == true)
        try await page.evaluate("\(Album.shown).muted = true, \(Album.shown).play()")
        // Its own arrow keys go through it, not to the next item.
        try await page.evaluate("\(Album.shown).focus()")
        try await page.press("ArrowRight")
        #expect(try await album.caption() == "two")
        try await page.evaluate("window.played = \(Album.shown), \(Album.shown).loop = true, \(Album.shown).play()")
        try await page.evaluate("document.querySelector('.pswp__button--close').focus()")
        try await page.press("ArrowRight")
        try await album.waits(for: "three")
        #expect(try await page.evaluate("played.paused") == true)
        try await page.press("Escape")
        try await page.wait(for: Album.isClosed)
    }

    /// A video of the page is opened in the viewer, and a link to it opens it there.
    private func video(_ album: AlbumFixture) async throws {
        let page = album.page
        try await page.click(".photo.video")
        try await page.wait(for: Album.isOpen)
        try await album.waits(for: "two")
        let link = try await page.address
        try await page.open("about:blank")
        try await page.open(link)
        try await album.waits(for: "two")
    }

    /// A slideshow waits for videos to end, goes on around, and ends with a key.
    private func slideshow(_ album: AlbumFixture) async throws {
        let page = album.page
        try await page.resize(width: 1280, height: 800, reducedMotion: true)
        try await page.click(".tile:first-child .photo")
        try await page.wait(for: Album.isOpen)
        let isRunning = "document.querySelector('.pswp')?.classList.contains('pswp--slideshow') ?? false"
        #expect(try await page.evaluate(isRunning) == false)
        try await page.evaluate("addEventListener('ended', () => { window.ended = true; }, true)")
        try await page.press("s")
        #expect(try await page.evaluate(isRunning) == true)
        try await page.wait(for: "document.querySelector('.pswp__told').textContent === 'Slideshow started'")
        for seconds in ["10 s", "3 s"] {
            try await page.click(".pswp__button--pace")
            #expect(try await page.text(of: "document.querySelector('.pswp__button--pace').innerText") == seconds)
        }
        #expect(try await page.evaluate(isRunning) == true)
        try await album.waits(for: "two")
        try await album.waits(for: "three")
        #expect(try await page.evaluate("window.ended") == true)
        try await album.waits(for: "one")
        try await page.press("ArrowRight")
        #expect(try await page.evaluate(isRunning) == false)
        // The show may have gone on before the key.
        while try await album.caption() != "two" { try await page.press("ArrowRight") }
        #expect(
            try await page.text(of: "document.querySelector('.pswp__button--slideshow').title") == "Start slideshow"
        )
        #expect(try await page.evaluate("\(Album.shown).paused") == true)
        // A touch ends it as well.
        try await page.click(".pswp__button--slideshow")
        #expect(try await page.evaluate(isRunning) == true)
        try await page.click(".pswp__bg")
        #expect(try await page.evaluate(isRunning) == false)
    }

    /// The details of an item are read out, follow the viewer, and close before it.
    private func details(_ album: AlbumFixture) async throws {
        let page = album.page
        try await page.click(".tile:first-child .photo")
        try await page.wait(for: Album.isOpen)
        try await page.press("i")
        try await page.wait(for: "document.querySelector('.pswp__about dd')?.textContent === 'one.jpg'")
        #expect(try await page.text(of: "document.activeElement.innerText") == "About this")
        #expect(try await page.violations() == [])
        try await page.press("ArrowRight")
        try await page.wait(for: "document.querySelector('.pswp__about dd')?.textContent === 'two.webm'")
        try await page.press("Escape")
        #expect(try await page.evaluate("document.querySelector('.pswp__about')") == .null)
        #expect(try await page.text(of: "document.activeElement.getAttribute('aria-expanded')") == "false")
        try await album.waits(for: "two")
        #expect(try await page.violations() == [])
        try await page.press("Escape")
        try await page.wait(for: Album.isClosed)
    }

    /// The link to one item is copied, opens it, and is the page's own after it.
    private func link(_ album: AlbumFixture) async throws {
        let page = album.page
        try await page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }")
        try await page.click(".tile:last-child .photo")
        try await page.wait(for: Album.isOpen)
        try await page.click(".pswp__button--link")
        try await page.wait(for: "document.querySelector('.pswp__told').textContent === 'Link copied'")
        let link = try await page.text(of: "window.copied")
        #expect(link.hasPrefix("\(album.address)?photo="))
        try await page.open("about:blank")
        try await page.open(link)
        try await album.waits(for: "three")
        try await page.wait(for: Album.isOpen)
        try await page.press("Escape")
        try await page.wait(for: Album.isClosed)
        #expect(try await page.address == album.address)
    }

    @Test("A panorama opens at full height, and the arrows go through it first") func panorama() async throws {
        try await withAlbum([
            ("wide", AlbumFixture.picture(4000, 800, "image/jpeg")), ("next", "cat"), ("last", "moon"),
        ]) { album, _ in
            let page = album.page
            try await page.resize(width: 1280, height: 800)
            try await page.click(".tile:first-child .photo")
            try await page.wait(for: "\(Album.isOpen) && \(Album.shown)?.getBoundingClientRect().height > 700")
            #expect(try await page.evaluate("\(Album.shown).getBoundingClientRect().width > 3000") == true)
            let left = "\(Album.shown).getBoundingClientRect().left"
            for _ in 0..<2 {
                try await page.evaluate("window.before = \(left)")
                try await page.press("ArrowRight")
                try await page.wait(for: "\(left) < before")
                #expect(try await album.caption() == "wide")
            }
            try await page.press("ArrowRight")
            try await album.waits(for: "next")
            #expect(try await page.evaluate("\(Album.shown).getBoundingClientRect().width <= innerWidth") == true)
        }
    }

    @Test("A video without a poster is asked for when it is near") func nearness() async throws {
        try await withAlbum(posters: false) { album, _ in
            let page = album.page
            try await page.wait(for: "document.querySelector('main video').preload === 'metadata'")
            try await page.send("Emulation.setScriptExecutionDisabled", ["value": .bool(true)])
            try await page.open("about:blank")
            try await page.open(album.address)
            #expect(try await page.text(of: "document.querySelector('main video').preload") == "none")
            try await page.send("Emulation.setScriptExecutionDisabled", ["value": .bool(false)])
        }
    }

    /// The viewer with all its parts passes the accessibility rules on phones and desks, and fits.
    private func rules(_ album: AlbumFixture) async throws {
        for (tag, dark, width) in [("en", false, 360), ("de", true, 1280), ("ar", false, 1280), ("ja", true, 360)] {
            try await check(album, tag, dark, width)
        }
    }

    /// Each part of the viewer in a language: its buttons fit at both widths, and the rules are held at one.
    private func check(_ album: AlbumFixture, _ tag: String, _ dark: Bool, _ width: Int) async throws {
        let page = album.page
        let resize = { (width: Int) in
            try await page.resize(width: width, height: width == 360 ? 740 : 800, dark: dark, reducedMotion: true)
        }
        let check = { (part: String) in
            for width in [width == 360 ? 1280 : 360, width] {
                try await resize(width)
                try await page.evaluate(Look.painting)
                #expect(try await page.evaluate(Self.fits) == .array([]), "\(part) \(tag) \(width)")
                try await page.screenshot("viewer-\(part)-\(tag)-\(width)", whole: false)
            }
            #expect(try await page.violations() == [], "\(part) \(tag)")
        }
        try await resize(width)
        try await page.open("about:blank")
        try await page.open("\(album.address)?lang=\(tag)")
        try await page.evaluate("document.querySelector('.photo').click()")
        try await page.wait(for: "\(Album.isOpen) && \(Album.shown)?.complete")
        try await check("picture")
        try await page.press("i")
        try await page.wait(for: "document.querySelector('.pswp__about dd')")
        try await check("about")
        try await page.press("i")
        // From right to left the next item is on the left.
        let (next, last) = tag == "ar" ? ("ArrowLeft", "ArrowRight") : ("ArrowRight", "ArrowLeft")
        try await page.press(next)
        try await page.wait(for: "\(Album.shown)?.videoWidth === 64")
        try await check("video")
        try await page.press(last)
        try await album.waits(for: "one")
        // At the end: it goes on by itself while the rules are held.
        try await page.press("s")
        try await page.wait(for: "document.querySelector('.pswp--slideshow')")
        try await check("slideshow")
    }

    /// The buttons of the viewer that stand outside of the window, or on each other.
    private static let fits = """
        (() => {
            const seen = [...document.querySelectorAll('.pswp__top-bar > *, .pswp__about button')]
                .filter(element => element.checkVisibility() && element.matches('button, a'));
            const boxes = seen.map(element => [element, element.getBoundingClientRect()]);
            const outside = boxes.filter(([, box]) => box.left < 0 || box.right > innerWidth || box.width < 40);
            const over = boxes.slice(1).filter(([element, box], index) => element.parentElement
                === boxes[index][0].parentElement && box.left < boxes[index][1].right - 1
                && box.right > boxes[index][1].left + 1);
            return [...outside, ...over].map(([element]) => element.className);
        })()
        """
}
