import CloudModel
import Foundation
import TestBrowser
import TestCloud
import Testing

/// Saving to the pictures of a phone, with a fake of what its browser can do.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct SavingBrowserTests {
    private typealias Album = AlbumFixture

    private static let now = "document.querySelector('.saving .actions button')"

    private static let title = "document.querySelector('.pswp__button--download').title"

    @Test("Pictures are saved by a phone's own dialog, and what that cannot take is downloaded; elsewhere all is")
    func saving() async throws {
        try await TripFixture.run(.live) { trip in
            let browser = try await TestBrowser()
            try await otherSystems(trip, browser)
            // The last one changes what the page shows.
            for visit in [batches, kinds, largeZip, failures] {
                let page = try await browser.page(width: 360, height: 740)
                try await FakePhone.install(on: page)
                try await visit(trip, page)
                #expect(page.faults.filter { !$0.contains("status of 404") } == [])
                try await page.open("about:blank")
            }
        }
    }

    /// 27 chosen photos are saved with two presses, 25 files at once.
    private func batches(_ trip: TripFixture, _ page: BrowserPage) async throws {
        try await trip.publish("many", title: "Lisbon", photos: Array(repeating: "cat", count: 27))
        try await page.open(trip.origin + "/share/many")
        try await page.click("#choose")
        #expect(try await page.evaluate("document.getElementById('save').disabled") == true)
        try await page.press("Enter")
        try await page.click("#save")
        try await page.wait(for: "\(Self.now)?.textContent === 'Save 25 now' && !\(Self.now).hidden")
        #expect(try await page.text.contains("More to save: 2"))
        #expect(try await page.violations() == [])
        try await page.screenshot("saving-360-light", whole: false)
        // Whoever changes their mind can press again.
        try await page.evaluate("window.refuses = true")
        try await page.click(".saving .actions button")
        try await page.wait(for: "!window.refuses")
        #expect(try await page.evaluate("handed.length") == 0)
        try await page.click(".saving .actions button")
        try await page.wait(for: "\(Self.now).textContent === 'Save 2 now' && !\(Self.now).hidden")
        try await page.click(".saving .actions button")
        try await page.wait(for: "document.querySelector('.saving').innerText.includes('That was all of them.')")
        #expect(try await page.evaluate("handed.map(files => files.length)") == .array([25, 2]))
        let size = try TripFixture.photo("cat").count
        #expect(try await page.text(of: "handed[0][0]").hasSuffix(".jpg image/jpeg \(size)"))
        #expect(try await page.evaluate("new Set(handed.flat()).size") == 27)
        #expect(try await page.text(of: "document.activeElement.innerText") == "Close")
        try await page.press("Enter")
        try await page.wait(for: "!document.querySelector('.saving')")
    }

    /// The viewer saves one item; a kind that cannot be shared becomes its JPEG or a download.
    private func kinds(_ trip: TripFixture, _ page: BrowserPage) async throws {
        let album = try await AlbumFixture.make(
            trip,
            [("one", "cat"), ("drawing", AlbumFixture.picture(300, 200, "image/png")), ("three", "coffee")],
            on: page)
        try await page.open(album.address)
        try await page.click(".tile:nth-child(2) .photo")
        try await page.wait(for: Album.isOpen)
        #expect(try await page.text(of: Self.title) == "Save to Photos")
        try await page.click(".pswp__button--download")
        try await page.wait(for: "\(Self.now)?.textContent === 'Save 1 now' && !\(Self.now).hidden")
        #expect(try await page.violations() == [])
        // Escape closes the dialog and not the viewer.
        try await page.press("Escape")
        try await page.wait(for: "!document.querySelector('.saving')")
        try await album.waits(for: "drawing")
        try await page.click(".pswp__button--download")
        try await page.wait(for: "\(Self.now)?.textContent === 'Save 1 now' && !\(Self.now).hidden")
        try await page.click(".saving .actions button")
        try await page.wait(for: "handed.length === 1")
        #expect(try await page.text(of: "handed[0][0]").contains(".jpg image/jpeg "))
        // Nothing that can be shared: it is there as a download.
        try await page.wait(for: "document.querySelector('.saving').innerText.includes('That was all of them.')")
        try await page.press("Enter")
        try await page.evaluate("navigator.canShare = () => false")
        try await page.click(".pswp__button--download")
        try await page.wait(for: "document.querySelector('.saving li a')?.textContent === 'drawing'")
        let file = try await page.download { try await page.click(".saving li a") }
        #expect(file.name == "drawing.png")
    }

    /// A file that cannot be had is told, and the rest is saved.
    private func failures(_ trip: TripFixture, _ page: BrowserPage) async throws {
        try await page.open(trip.origin + trip.path)
        try await page.click("#choose")
        try await page.press("Enter")
        _ = try await trip.settle(#"{"items": ["\#(TripFixture.id)_1"]}"#)
        try await page.click("#save")
        try await page.wait(for: "\(Self.now)?.textContent === 'Save 1 now' && !\(Self.now).hidden")
        #expect(try await page.text.contains("2 could not be loaded."))
    }

    /// A phone is told how large a download above 4 GB is, before it begins, and is offered the days.
    private func largeZip(_ trip: TripFixture, _ page: BrowserPage) async throws {
        try await page.open(trip.origin + trip.path)
        try await page.evaluate("window.zipBytes = '4700000000'")
        try await page.click("#zip")
        try await page.wait(for: "document.querySelector('.saving')?.innerText.includes('4.7 GB')")
        #expect(try await page.violations() == [])
        let zip = try await page.download { try await page.click(".saving a") }
        #expect(try StoredZip(zip.bytes).files.count == 3)
        try await page.evaluate(
            """
            window.fetch = (real => (address, options) => String(address).endsWith('/days')
                ? Promise.resolve(Response.json({ days: [
                    { day: 20618, text: 'the 14th', bytes: 4.1e9 }, { day: 20619, text: 'the 15th', bytes: 6e8 }] }))
                : real(address, options))(window.fetch);
            """)
        try await page.click("#zip")
        try await page.wait(for: "document.querySelectorAll('.saving li').length === 2")
        let links = try await page.text(of: "document.querySelector('.saving ul').innerText")
        #expect(links.contains("the 14th 4.1 GB") && links.contains("the 15th 600 MB"), "\(links)")
        #expect(try await page.violations() == [])
        try await page.click(".saving .plain")
        try await page.evaluate("window.zipBytes = '3900000000'")
        let small = try await page.download { try await page.click("#zip") }
        #expect(try StoredZip(small.bytes).files.count == 3)
    }

    /// Another browser has ordinary downloads and no such button.
    private func otherSystems(_ trip: TripFixture, _ browser: TestBrowser) async throws {
        let page = try await browser.page(width: 360, height: 740)
        try await page.open(trip.origin + trip.path)
        try await page.click("#choose")
        #expect(try await page.evaluate("document.getElementById('save').checkVisibility()") == false)
        try await page.click("#done")
        try await page.click(".tile:first-child .photo")
        try await page.wait(for: Album.isOpen)
        #expect(try await page.text(of: Self.title) == "Download")
        #expect(page.faults == [])
    }
}
