import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import Synchronization
import TestBrowser
import Testing

/// Scenario 1 in a browser: a trip is looked at by a stranger, and settled by its owner.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct TripBrowserTests {
    /// The neighbours are made ready once the viewer is all open and heeds keys.
    private static let isOpen = "document.querySelectorAll('.pswp__item')[2]?.style.display === 'block'"
    private static let isClosed = "!document.querySelector('.pswp')"

    private func photos(_ names: [String]) throws -> [Data] { try names.map { try TripFixture.photo($0) } }

    /// One page for strangers one after the other, each with a browser of their own.
    @Test("Strangers look, choose and download, by keys and by mouse, from left to right and from right to left")
    func strangers() async throws {
        try await TripFixture.run(.live) { trip in
            let browser = try await TestBrowser()
            for visit in [
                viewer, escapeKey, chooseAll, allWithUnloaded, videoPlays, rightToLeft, photoLink, zips,
            ] { try await visit(trip, browser) }
        }
    }

    /// Keys open a photo in the viewer, go to the next and close it.
    private func viewer(_ trip: TripFixture, _ browser: TestBrowser) async throws {
        let page = try await browser.page()
        try await page.open(trip.origin + trip.path)
        try await page.wait(for: "[...document.querySelectorAll('.photo img')].every(i => i.naturalWidth > 0)")
        let marks = try await page.evaluate("[...document.querySelectorAll('.photo')].map(p => p.dataset.mark)")
        let second = try #require(marks[path: "1"]?.string)
        try await page.click(".tile:first-child .photo")
        try await page.wait(for: Self.isOpen)
        #expect(try await page.address.hasSuffix("#photo-\(marks[path: "0"]?.string ?? "")"))
        try await page.press("ArrowRight")
        try await page.wait(for: "location.hash === '#photo-\(second)'")
        try await page.press("Escape")
        try await page.wait(for: "\(Self.isClosed) && location.hash === ''")
        #expect(try await page.evaluate("document.activeElement.classList.contains('photo')") == true)
        try await page.press("Enter")
        try await page.wait(for: "\(Self.isOpen) && document.activeElement.closest('.pswp')")
        try await page.press("Escape")
        try await page.wait(for: Self.isClosed)
        #expect(try await page.evaluate("document.activeElement.classList.contains('photo')") == true)
        // Back closes even a viewer that is still opening.
        try await page.press("Enter")
        try await page.wait(for: "location.hash !== ''")
        try await page.evaluate("history.back()")
        try await page.wait(for: Self.isClosed)
        #expect(try await page.address == trip.origin + trip.path)
        #expect(page.faults == [])
    }

    /// Notes each element that appears, since it may be gone again between two looks.
    private static let watch = """
        window.seen = [];
        new MutationObserver(list => list.forEach(change => {
            if ([...change.addedNodes].some(node => node.classList?.contains('pswp'))) seen.push('open');
            if ([...change.removedNodes].some(node => node.classList?.contains('pswp'))) seen.push('closed');
        })).observe(document.body, { childList: true });
        """

    /// Escape closes the viewer while it loads, opens and zooms.
    private func escapeKey(_ trip: TripFixture, _ browser: TestBrowser) async throws {
        let page = try await browser.page()
        try await page.open(trip.origin + trip.path)
        try await page.wait(for: "[...document.querySelectorAll('.photo img')].every(i => i.naturalWidth > 0)")
        try await page.evaluate(Self.watch)
        let escape = "dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))"
        // Its script has not come yet: it does not open at all.
        try await page.evaluate("document.querySelector('.photo').click(); \(escape)")
        try await page.evaluate(
            "import(document.querySelector('script[type=module]').src.replace('share.js', 'photoswipe.esm.min.js'))"
        )
        try await page.evaluate("new Promise(done => setTimeout(done))")
        #expect(try await page.text(of: "seen.join()") == "")
        // Escape while the viewer opens.
        try await page.evaluate("document.querySelector('.photo').click()")
        try await page.wait(for: "seen.length == 1")
        try await page.press("Escape")
        try await page.wait(for: "seen.length == 2 && location.hash === ''")
        // Escape while the open picture grows.
        try await page.evaluate("document.querySelector('.photo').click()")
        try await page.wait(for: Self.isOpen)
        try await page.press("z")
        try await page.press("Escape")
        try await page.wait(for: "seen.length == 4 && location.hash === ''")
        #expect(try await page.text(of: "seen.join()") == "open,closed,open,closed")
        #expect(page.faults == [])
    }

    /// The selection mode has one Done button and selects all photos at once.
    private func chooseAll(_ trip: TripFixture, _ browser: TestBrowser) async throws {
        let page = try await browser.page()
        try await page.open(trip.origin + trip.path)
        try await page.click("#choose")
        let buttons = """
            [...document.querySelectorAll('button')].filter(e => e.checkVisibility()).map(e => e.innerText).join()
            """
        #expect(try await page.text(of: buttons) == "Download chosen,Select all,Done")
        #expect(try await page.text(of: "document.activeElement.id") == "all")
        try await page.press("Enter")
        #expect(try await page.text.contains("3 chosen"))
        #expect(try await page.text(of: "document.activeElement.innerText") == "Select none")
        try await page.press("Enter")
        #expect(try await page.text.contains("0 chosen"))
        try await page.click("#done")
        #expect(try await page.text(of: "document.activeElement.id") == "choose")
        #expect(page.faults == [])
    }

    /// Selecting all includes photos not yet loaded by scrolling.
    private func allWithUnloaded(_ trip: TripFixture, _ browser: TestBrowser) async throws {
        try await trip.publish("many", photos: Array(repeating: "cat", count: 101))
        let page = try await browser.page(width: 360, height: 740)
        try await page.open(trip.origin + "/share/many")
        try await page.click("#choose")
        try await page.press("Enter")
        try await page.wait(for: "document.getElementById('chosen').value == '101 chosen'")
        #expect(page.faults == [])
    }

    /// A video that the browser has recorded plays on the page.
    private func videoPlays(_ trip: TripFixture, _ browser: TestBrowser) async throws {
        let page = try await browser.page()
        try await page.open(trip.origin + "/auth/signin")
        let recorded = try await page.text(of: AlbumFixture.recording)
        let video = try #require(Data(base64Encoded: recorded))
        let app = trip.sender
        try await app.makeZone("Z")
        let value = try await trip.upload(video, "clip", "ClipItem", "file", in: "private", zone: "Z", app)
        try await app.save(zone: "Z", "clip", type: "ClipItem", fields: #""file": {"value": \#(value)}"#)
        let guid = try await app.share("clip", in: "Z", permission: "READ_ONLY")
        try await page.open("\(trip.origin)/share/\(guid)")
        // Its poster spares the page its head.
        #expect(
            try await page.evaluate(
                "(({poster, preload}) => preload === 'none' && fetch(poster).then(answer => answer.ok))"
                    + "(document.querySelector('video'))") == true)
        try await page.evaluate(
            "(() => { const v = document.querySelector('video'); v.muted = true; return v.play(); })()")
        try await page.wait(for: "document.querySelector('video').videoWidth === 64")
        try await page.wait(for: "document.querySelector('video').currentTime > 0")
        #expect(page.faults == [])
    }

    /// In right-to-left layout the next picture is on the left.
    private func rightToLeft(_ trip: TripFixture, _ browser: TestBrowser) async throws {
        try await trip.publish("rtl", title: "رحلة إلى لشبونة")
        let page = try await browser.page()
        try await page.open(trip.origin + "/share/rtl")
        try await page.wait(for: "[...document.querySelectorAll('.photo img')].every(i => i.naturalWidth > 0)")
        let left = "document.querySelector('.tile:nth-child($)').getBoundingClientRect().left"
        let (first, second) = (left.replacing("$", with: "1"), left.replacing("$", with: "2"))
        #expect(try await page.evaluate("\(first) > \(second)") == true)
        try await page.click(".tile:first-child .photo")
        try await page.wait(for: Self.isOpen)
        #expect(try await page.text(of: "document.querySelector('.pswp__counter').textContent") == "1 / 3")
        let marks = try await page.evaluate("[...document.querySelectorAll('.photo')].map(p => p.dataset.mark)")
        try await page.press("ArrowLeft")
        try await page.wait(for: "location.hash === '#photo-\(marks[path: "1"]?.string ?? "")'")
        #expect(try await page.text(of: "document.querySelector('.pswp__counter').textContent") == "2 / 3")
        #expect(page.faults == [])
    }

    /// A link to a photo opens the photo, which can be downloaded.
    private func photoLink(_ trip: TripFixture, _ browser: TestBrowser) async throws {
        let text = try await trip.server.send(.get, trip.path).text
        let marks = text.matches(of: #/data-mark="([^"]+)"/#).map { String($0.output.1) }
        let page = try await browser.page(width: 360, height: 740)
        try await page.open("\(trip.origin)\(trip.path)#photo-\(try #require(marks.last))")
        try await page.wait(for: Self.isOpen)
        #expect(try await page.text(of: "document.querySelector('.pswp__counter').textContent") == "3 / 3")
        let file = try await page.download { try await page.click(".pswp__button--download") }
        #expect(try [file.bytes] == photos(["coffee"]))
        #expect(file.name.hasPrefix("Lisbon"))
        #expect(file.name.hasSuffix(".jpg"))
    }

    /// All photos, or the selected ones, download as a zip.
    private func zips(_ trip: TripFixture, _ browser: TestBrowser) async throws {
        let page = try await browser.page()
        try await page.open(trip.origin + trip.path)
        let all = try await page.download { try await page.click("a[href$='/zip']") }
        #expect(all.name == "Lisbon b.zip")
        #expect(try StoredZip(all.bytes).names == ["1 Lisbon b.jpg", "2 Lisbon b.jpg", "3 Lisbon b.jpg"])
        #expect(try StoredZip(all.bytes).files == photos(TripFixture.photos))
        try await page.click("#choose")
        for tile in [1, 3] { try await page.click(".tile:nth-child(\(tile)) .photo") }
        #expect(try await page.text.contains("2 chosen"))
        #expect(try await page.evaluate(Self.isClosed) == true)
        let chosen = try await page.download { try await page.click("#files button") }
        #expect(try StoredZip(chosen.bytes).files == photos(["astronaut", "coffee"]))
        try await page.press("Escape")
        #expect(try await page.evaluate("document.body.classList.contains('choosing')") == false)
        #expect(page.faults == [])
    }

    /// The stranger looks after each thing the owner settles.
    @Test("The owner chooses on the page which items strangers see") func ownerChoice() async throws {
        let later = Mutex(0.0)
        try await TripFixture.run(.live, clock: { .now() + .seconds(later.withLock(\.self)) }) { trip in
            let browser = try await TestBrowser()
            let owner = try await browser.page()
            try await owner.open(trip.origin + trip.path)
            try await owner.load { try await owner.click("footer a") }
            try await owner.load { try await owner.click("button[value='mei@example.com']") }
            #expect(try await owner.address == trip.origin + trip.path)
            #expect(try await owner.text.contains("You share this with whoever has the link"))
            let stranger = try await browser.page()

            try await owner.click(".settings summary")
            try await owner.evaluate("document.getElementById('expires').value = '7'")
            try await owner.type("fado", into: "#password")
            try await owner.load { try await owner.press("Enter") }
            #expect(try await owner.text.contains("and its password, until"))
            try await stranger.open(trip.origin + trip.path)
            try await stranger.type("samba", into: "#password")
            try await stranger.load { try await stranger.press("Enter") }
            #expect(try await stranger.text.contains("Wrong password."))
            try await stranger.type("fado", into: "#password")
            try await stranger.load { try await stranger.press("Enter") }
            #expect(try await stranger.evaluate("document.querySelectorAll('.photo').length") == 3)
            #expect(try await stranger.evaluate("document.querySelector('meta[property]')") == .null)

            try await owner.click(".settings summary")
            try await owner.click("[data-choose]")
            try await owner.click(".tile:nth-child(2) .photo")
            try await owner.load { try await owner.click(".choice button[value=some]") }
            #expect(try await owner.evaluate("document.querySelectorAll('.tile.kept').length") == 2)
            try await stranger.open(trip.origin + trip.path)
            #expect(try await stranger.evaluate("document.querySelectorAll('.photo').length") == 1)

            try await owner.click(".settings summary")
            try await owner.load { try await owner.click("button[name=takenDown]") }
            #expect(try await owner.text.contains("Nobody else sees it."))
            try await stranger.open(trip.origin + trip.path)
            #expect(try await stranger.text.contains("This has been taken down"))
            try await owner.click(".settings summary")
            try await owner.load { try await owner.click("button[name=takenDown]") }
            try await stranger.open(trip.origin + trip.path)
            #expect(try await stranger.evaluate("document.querySelectorAll('.photo').length") == 1)

            later.withLock { $0 = 8 * 86_400 }
            try await stranger.open(trip.origin + trip.path)
            #expect(try await stranger.text.contains("This link has expired"))
            #expect(!(try await stranger.text.contains("Lisbon")))
        }
    }
}
