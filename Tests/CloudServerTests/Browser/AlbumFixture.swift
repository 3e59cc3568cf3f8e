import CloudModel
import Foundation
import TestBrowser
import TestCloud
import Testing

/// A shared album with pictures and a video, whose bytes a browser makes.
struct AlbumFixture {
    let trip: TripFixture
    let page: BrowserPage
    let guid: String

    var address: String { "\(trip.origin)/share/\(guid)" }

    /// A script that records a video of a second, and gives it in Base64.
    static let recording = """
        new Promise(done => {
            const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
            const context = canvas.getContext('2d');
            const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm' });
            let frames = 0;
            recorder.ondataavailable = async event => done(btoa(String.fromCharCode(
                ...new Uint8Array(await event.data.arrayBuffer()))));
            const draw = () => {
                context.fillStyle = frames % 2 ? 'red' : 'blue';
                context.fillRect(0, 0, 64, 48);
                if (++frames < 30) requestAnimationFrame(draw); else recorder.stop();
            };
            recorder.start();
            draw();
        })
        """

    /// A picture of this size and type, with a gradient.
    static func picture(_ width: Int, _ height: Int, _ type: String) -> String {
        """
        (() => {
            const canvas = Object.assign(document.createElement('canvas'), { width: \(width), height: \(height) });
            const context = canvas.getContext('2d');
            const colours = context.createLinearGradient(0, 0, \(width), 0);
            colours.addColorStop(0, 'navy');
            colours.addColorStop(1, 'orange');
            context.fillStyle = colours;
            context.fillRect(0, 0, \(width), \(height));
            return canvas.toDataURL('\(type)').split(',')[1];
        })()
        """
    }

    /// - Parameter items: expressions for bytes in base64, or names of sample photos; `video` for a recorded video.
    static func make(
        _ trip: TripFixture, _ items: [(name: String, bytes: String)], on page: BrowserPage
    ) async throws -> AlbumFixture {
        try await page.open(trip.origin + "/auth/signin")
        let app = trip.sender
        try await app.makeZone("Album")
        try await app.save(zone: "Album", "root", type: "Album", fields: #""title": {"value": "Our year"}"#)
        for (name, source) in items {
            let bytes =
                switch source {
                case "video": Data(base64Encoded: try await page.text(of: Self.recording))
                case _ where source.contains("("): Data(base64Encoded: try await page.text(of: source))
                default: try TripFixture.photo(source)
                }
            try await add(name, try #require(bytes), to: trip)
        }
        let guid = try await app.share("root", in: "Album", permission: "READ_ONLY")
        return AlbumFixture(trip: trip, page: page, guid: guid)
    }

    /// Adds a picture or a video to the album.
    static func add(_ name: String, _ bytes: Data, to trip: TripFixture) async throws {
        let value = try await trip.upload(bytes, name, "Memory", "file", in: "private", zone: "Album", trip.sender)
        _ = try await trip.sender.modify(
            zone: "Album",
            [
                Operation.write(
                    "create", name, type: "Memory",
                    fields: #""file": {"value": \#(value)}, "title": {"value": "\#(name)"}"#,
                    extra: #", "parent": {"recordName": "root"}"#)
            ])
    }

    // MARK: The viewer

    /// The neighbours are made ready once the viewer is all open and heeds keys.
    static let isOpen = "document.querySelectorAll('.pswp__item')[2]?.style.display === 'block'"
    static let isClosed = "!document.querySelector('.pswp')"
    /// The element in the middle of the viewer.
    static let shown = "document.querySelector('.pswp__item[aria-hidden=false] :is(img.pswp__img, video)')"

    func caption() async throws -> String {
        try await page.text(of: "document.querySelector('.pswp__said').textContent")
    }

    /// Waits until the viewer shows the item of this name.
    func waits(for name: String) async throws {
        try await page.wait(for: "document.querySelector('.pswp__said')?.textContent === '\(name)'")
    }
}

/// A browser that says it is an iPhone's, and keeps what is shared. Safari itself cannot be had.
enum FakePhone {
    /// The scripts of the page run after it.
    static let script = """
        Object.defineProperty(navigator, 'userAgent', { get: () =>
            'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Mobile Safari/604.1' });
        window.handed = [];
        navigator.canShare = ({ files }) => files.every(file => file.type !== 'image/png');
        navigator.share = async ({ files }) => {
            if (!navigator.userActivation.isActive) throw new DOMException('no press', 'NotAllowedError');
            if (window.refuses) { window.refuses = false; throw new DOMException('changed their mind', 'AbortError'); }
            handed.push(files.map(file => [file.name, file.type, String(file.size)].join(' ')));
        };
        const real = window.fetch;
        window.fetch = (address, options) => options?.method === 'HEAD'
            ? Promise.resolve(new Response(null, { headers: { 'Content-Length': window.zipBytes ?? '1000' } }))
            : real(address, options);
        """

    static func install(on page: BrowserPage) async throws {
        try await page.send("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }
}
