import CloudModel
import CloudPages
import CloudServer
import Foundation
import TestAssets
import TestBrowser
import TestCloud
import Testing

/// Videos that the browser cannot play, in the viewer.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FilmBrowserTests {
    private typealias Album = AlbumFixture

    private static let words = "document.querySelector('.pswp__film p')?.textContent"
    /// Keeps what the viewer says of the film.
    private static let listen = """
        window.said = [];
        new MutationObserver(() => { const text = \(words); if (text) said.push(text); })
            .observe(document.body, { subtree: true, childList: true, characterData: true });
        """
    private static let link = "document.querySelector('.pswp__film a')"

    private func withAlbum(
        films: Bool = true, seconds: Int = 8, photos: [(String, String)] = [("one", "cat")],
        _ body: @Sendable (AlbumFixture) async throws -> Void
    ) async throws {
        let video = try await FilmSample.hevc("320x240", seconds: seconds)
        try await TripFixture.run(.live, configure: { $0.transcode = films }) { trip in
            let album = try await AlbumFixture.make(trip, photos, on: try await TestBrowser().page())
            try await AlbumFixture.add("two", video, to: trip)
            try await album.page.open(album.address)
            try await body(album)
        }
    }

    private func show(_ album: AlbumFixture) async throws {
        let page = album.page
        try await page.evaluate("document.querySelector('.photo.video').click()")
        try await page.wait(for: Album.isOpen)
        try await album.waits(for: "two")
    }

    @Test("A video that the browser cannot play is played as a film, from any place in it") func film() async throws {
        try await withAlbum { album in
            let page = album.page
            let plays = "document.createElement('video').canPlayType('video/mp4; codecs=\"hvc1\"')"
            #expect(try await page.text(of: plays).isEmpty)
            // A film may be finished before the first look.
            try await page.evaluate(Self.listen)
            try await show(album)
            try await page.wait(for: "\(Album.shown)?.videoWidth === 320")
            #expect(
                try await page.evaluate("said.some(text => text.startsWith('Your browser cannot play this video.'))")
                    == true)
            #expect(try await page.evaluate("\(Album.shown).currentSrc.endsWith('as=h264')") == true)
            #expect(try await page.evaluate("document.querySelector('.pswp__film').hidden") == true)
            #expect(try await page.evaluate("Math.round(\(Album.shown).duration)") == 8)
            try await page.evaluate("\(Album.shown).pause(), \(Album.shown).currentTime = 5.2")
            try await page.wait(for: "!\(Album.shown).seeking && \(Album.shown).readyState >= 2")
            #expect(try await page.evaluate("Math.abs(\(Album.shown).currentTime - 5.2) < 0.1") == true)
            #expect(try await page.evaluate("\(Album.shown).error === null") == true)
            // The film is there when somebody comes back to it.
            try await page.press("ArrowLeft")
            try await album.waits(for: "one")
            try await page.press("ArrowRight")
            try await album.waits(for: "two")
            try await page.wait(for: "\(Album.shown)?.videoWidth === 320")
        }
    }

    @Test("A server without films says what to do with a video, and the viewer asks no more")
    func without() async throws {
        try await withAlbum(films: false, seconds: 1) { album in
            let page = album.page
            try await show(album)
            try await page.wait(for: "\(Self.words)?.includes('there is no other version of it')")
            let offers = "\(Self.link).checkVisibility() && \(Self.link).href.includes('/download/')"
            #expect(try await page.evaluate(offers) == true)
            #expect(try await page.violations() == [])
            try await page.press("ArrowLeft")
            try await album.waits(for: "one")
            #expect(try await page.evaluate("document.querySelector('.pswp__film').hidden") == true)
        }
    }

    @Test("A video of the page that is started and cannot be played opens in the viewer") func started() async throws {
        try await withAlbum(films: false, seconds: 1, photos: []) { album in
            let page = album.page
            try await page.evaluate("document.querySelector('main video').play().catch(() => {})")
            try await page.wait(for: Album.isOpen)
            try await page.wait(for: "\(Self.words)?.includes('there is no other version of it')")
        }
    }
}
