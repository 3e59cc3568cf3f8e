import CloudModel
import CloudPages
import CloudServer
import Foundation
import TestBrowser
import TestCloud
import Testing

/// An open page in a browser while pictures come.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PageNewsBrowserTests {
    @Test("A button tells how many photos are new, and shows them")
    func news() async throws {
        try await TripFixture.run(.live, configure: { $0.site.news.interval = .milliseconds(50) }) { trip in
            let page = try await TestBrowser().page()
            let picture = AlbumFixture.picture(300, 200, "image/jpeg")
            let album = try await AlbumFixture.make(trip, [("first", picture), ("second", picture)], on: page)
            let bytes = try #require(Data(base64Encoded: try await page.text(of: picture)))
            try await page.open(album.address)
            #expect(try await page.evaluate("document.querySelectorAll('#photos > li').length === 2") == true)
            #expect(try await page.evaluate("!document.getElementById('changed')") == true)
            try await AlbumFixture.add("third", bytes, to: trip)
            try await page.wait(for: "document.getElementById('changed')?.textContent === 'Show 1 new photo'")
            // Nothing has moved.
            #expect(try await page.evaluate("document.querySelectorAll('#photos > li').length === 2") == true)
            try await AlbumFixture.add("fourth", bytes, to: trip)
            try await page.wait(for: "document.getElementById('changed')?.textContent === 'Show 2 new photos'")
            try await page.load { try await page.evaluate("document.getElementById('changed').click()") }
            #expect(try await page.evaluate("document.querySelectorAll('#photos > li').length === 4") == true)
            #expect(page.faults == [])
        }
    }
}
