import TestCloud
import CloudModel
import Foundation
import TestBrowser
import Testing

/// Share pages while they load, and without scripts. `LookMatrixTests` looks at all of them.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct SharePageLookTests {
    @Test("The layout does not shift while a gallery loads or a video's size becomes known, and works without scripts")
    func loading() async throws {
        try await TripFixture.run(.live) { trip in
            let browser = try await TestBrowser()
            for visit in [layoutShift, videoShift, noScripts] { try await visit(trip, browser) }
        }
    }

    /// The layout does not shift while the gallery loads.
    private func layoutShift(_ trip: TripFixture, _ browser: TestBrowser) async throws {
        let page = try await browser.page(width: 360, height: 740)
        try await page.watchShifts()
        try await page.open(trip.origin + trip.path)
        try await page.wait(for: Look.shownArePainted)
        try await page.evaluate(Look.painting)
        #expect(try await page.shifts == [])
    }

    /// A short film of upright format, made by the browser.
    private static let film = """
        new Promise(done => {
            const canvas = Object.assign(document.createElement('canvas'), { width: 90, height: 160 });
            const context = canvas.getContext('2d');
            const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm' });
            const parts = [];
            recorder.ondataavailable = event => parts.push(event.data);
            recorder.onstop = () => {
                const reader = new FileReader();
                reader.onload = () => done(reader.result.split(',')[1]);
                reader.readAsDataURL(new Blob(parts));
            };
            recorder.start();
            let frames = 0;
            const timer = setInterval(() => {
                context.fillStyle = `hsl(${frames * 20} 80% 50%)`;
                context.fillRect(0, 0, 90, 160);
                if (++frames === 20) { clearInterval(timer); recorder.stop(); }
            }, 30);
        })
        """

    /// The layout does not shift when a video's size becomes known.
    private func videoShift(_ trip: TripFixture, _ browser: TestBrowser) async throws {
        let page = try await browser.page(width: 360, height: 740)
        try await page.open(trip.origin + "/auth/signin")
        let film = try #require(try await page.evaluate(Self.film).string.flatMap { Data(base64Encoded: $0) })
        let app = trip.sender
        try await app.makeZone("Z")
        let video = try await trip.upload(film, "clip", "ClipItem", "file", in: "private", zone: "Z", app)
        try await app.save(
            zone: "Z", "clip", type: "ClipItem",
            fields: #""file": {"value": \#(video)}, "name": {"value": "dance.webm"}, "note": {"value": "Below"}"#)
        let path = "/share/" + (try await app.share("clip", in: "Z", permission: "READ_ONLY"))
        try await page.watchShifts()
        try await page.open(trip.origin + path)
        // Wide until the server has read the file, then upright: in the browser nothing changes.
        let shape = """
            (({width, height}) => (width / height).toFixed(1))(document.querySelector('video').getBoundingClientRect())
            """
        let before = try await page.text(of: shape)
        #expect(["1.8", "0.6"].contains(before))
        try await page.evaluate(
            "{ const video = document.querySelector('video'); video.preload = 'auto'; video.load(); }")
        try await page.wait(for: "document.querySelector('video').videoHeight === 160")
        try await page.evaluate(Look.painting)
        #expect(try await page.text(of: shape) == before)
        #expect(try await page.shifts == [])
        try await page.screenshot("share-video-360-light")
    }

    /// Without scripts there are the photos, the links to each, and a form to choose by.
    /// A share page works without scripts.
    private func noScripts(_ trip: TripFixture, _ browser: TestBrowser) async throws {
        let page = try await browser.page(width: 360, height: 740)
        try await page.send("Emulation.setScriptExecutionDisabled", ["value": .bool(true)])
        try await page.open(trip.origin + trip.path)
        try await page.fits()
        try await page.screenshot("share-no-script-360-light")
        try await page.click(".tile:nth-child(2) .pick")
        let chosen = try await page.download { try await page.click("#files button") }
        #expect(try StoredZip(chosen.bytes).files == [TripFixture.photo("cat")])
    }
}
