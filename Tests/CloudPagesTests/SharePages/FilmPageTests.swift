import CloudAccounts
import CloudHTTP
import CloudMedia
import CloudModel
import CloudStore
import Foundation
import TestAssets
import TestCloud
import Testing

@testable import CloudPages
@testable import CloudServer

/// Films of a page's videos for browsers that cannot play them: `?as=h264`.
@Suite(.timeLimit(.minutes(5)))
struct FilmPageTests {
    private struct Page {
        let trip: TripFixture
        let guid: String

        func media(_ query: String = "?as=h264", of name: String = "clip") -> String {
            "/share/\(guid)/media/\(ItemKey(recordName: name, field: "file", index: 0).text)\(query)"
        }

        func get(
            _ path: String, _ headers: HTTPFields = [:], _ method: HTTPRequest.Method = .get
        ) async throws -> Answer {
            try await trip.server.send(method, path, headers: headers)
        }

        /// The record of a refused request, with its reason.
        func reason(_ answer: Answer) async throws -> String {
            try await trip.server.record(of: answer).text
        }

        /// Returns when all films that have been begun have ended.
        func finish() async throws {
            let container = try await trip.server.accounts.containers.require(named: TripFixture.container)
            let store = try await trip.server.responder.stores.existing(container: container, environment: .development)
            await store?.assets.finishFilms()
        }
    }

    private func withPage(
        _ bytes: Data? = nil, permission: String = "READ_ONLY",
        configure: (inout ServerConfiguration) -> Void = { _ in }, _ body: @Sendable (Page) async throws -> Void
    ) async throws {
        let video = if let bytes { bytes } else { try await FilmSample.hevc() }
        try await TripFixture.run(configure: configure) { trip in
            let app = trip.sender
            try await app.makeZone("Z")
            let value = try await trip.upload(video, "clip", "ClipItem", "file", in: "private", zone: "Z", app)
            try await app.save(zone: "Z", "clip", type: "ClipItem", fields: #""file": {"value": \#(value)}"#)
            try await body(Page(trip: trip, guid: try await app.share("clip", in: "Z", permission: permission)))
        }
    }

    private static func started(_ page: Page) -> Int? { page.trip.server.responder.stores.previews?.films?.started }

    @Test("A film is made while browsers ask, and then answered by range, without a place") func film() async throws {
        try await withPage { page in
            let first = try await page.get(page.media())
            // It waits, or has been begun.
            let isWaiting = first["progress"] == .null
            #expect(first.status == 202 && first["progress"] != nil)
            #expect(first.headers[.retryAfter] == (isWaiting ? "5" : "2") && first.headers[.cacheControl] == "no-store")
            _ = try await page.get(page.media())
            try await page.finish()
            let (status, headers, film) = try await page.trip.bytes(page.media())
            #expect(status == 200 && headers[.contentType] == "video/mp4" && headers[.acceptRanges] == "bytes")
            #expect(headers[.cacheControl] == "private, no-cache" && headers[.eTag]?.hasSuffix("-h264\"") == true)
            #expect(try await FilmSample.description(of: film).contains("codec_name=h264"))
            #expect(film.range(of: Data("+52.5".utf8)) == nil)
            let part = try await page.trip.server.download(page.media(), headers: [.range: "bytes=4-7"])
            #expect(part.status == 206 && part.bytes == [UInt8]("ftyp".utf8))
            let known = try await page.get(page.media(), [.condition.noneMatch: try #require(headers[.eTag])])
            #expect(known.status == 304)
            #expect(Self.started(page) == 1)
            // The file itself is played as before.
            let own = try await page.trip.bytes(page.media(""))
            #expect(own.status == 200 && own.headers[.eTag] != headers[.eTag])
        }
    }

    @Test("HEAD starts nothing, nor do other forms, which are refused with those that there are")
    func others() async throws {
        try await withPage { page in
            let head = try await page.get(page.media(), [:], .head)
            #expect(head.status == 202)
            _ = try await page.get(page.media(), [:], .options)
            for query in ["?as=", "?as=vp9", "?as=H264"] {
                let answer = try await page.get(page.media(query))
                #expect(answer.status == 400, "\(query)")
                #expect(try await page.reason(answer).contains("as: must be h264"))
            }
            let part = try await page.get(page.media("?as=h264&part=motion"))
            #expect(part.status == 400)
            #expect(Self.started(page) == 0)
            let store = try await page.get(page.media(of: "none"))
            #expect(store.status == 404)
        }
    }

    @Test("Files that are no videos say so") func pictures() async throws {
        try await withPage(try TripFixture.photo("cat")) { page in
            let answer = try await page.get(page.media())
            #expect(answer.status == 400)
            #expect(try await page.reason(answer).contains("as: the file is no video"))
        }
    }

    @Test("Longer videos are refused with the bound") func long() async throws {
        let video = try await FilmSample.make(
            [
                "-f", "lavfi", "-i", "color=size=16x16:rate=1/10:duration=1210", "-c:v", "libx264", "-preset",
                "ultrafast",
            ])
        try await withPage(video) { page in
            let answer = try await page.get(page.media())
            #expect(answer.status == 400)
            #expect(try await page.reason(answer).contains("longer than 1200 seconds"))
        }
    }

    @Test("A server without films says which setting it has") func off() async throws {
        try await withPage(configure: { $0.transcode = false }) { page in
            let answer = try await page.get(page.media())
            #expect(answer.status == 400)
            #expect(try await page.reason(answer).contains("pages.transcode"))
        }
    }

    @Test("A broken video is refused after one attempt") func broken() async throws {
        let video = try await FilmSample.hevc()
        try await withPage(video.replacing(Data("hvc1".utf8), with: Data("none".utf8))) { page in
            _ = try await page.get(page.media())
            try await page.finish()
            for _ in 0..<2 {
                let answer = try await page.get(page.media())
                #expect(answer.status == 400)
                #expect(try await page.reason(answer).contains("no film can be made of this video"))
            }
            #expect(Self.started(page) == 1)
        }
    }

    @Test("Who may not open the page starts nothing, and learns nothing") func strangers() async throws {
        try await withPage(permission: "NONE") { page in
            let before = try await page.get(page.media(""))
            let answer = try await page.get(page.media())
            #expect(answer.status == before.status && answer.status >= 403 && answer.status < 500)
            #expect(Self.started(page) == 0)
        }
    }

    @Test("A film is shown where the owner gives no downloads and no places") func settings() async throws {
        try await withPage { page in
            _ = try await page.trip.settle(#"{"downloads": "none"}"#, id: page.guid)
            _ = try await page.get(page.media())
            try await page.finish()
            let visitor = try await page.trip.bytes(page.media())
            _ = try await page.trip.settle(#"{"places": true}"#, id: page.guid)
            let shown = try await page.trip.bytes(page.media())
            #expect(visitor.status == 200 && shown.body == visitor.body)
            #expect(Self.started(page) == 1)
        }
    }

    @Test("Too many films of an account are refused with the number") func bounded() async throws {
        try await withPage(configure: { $0.limits.assets.filmsPerAccount = 0 }) { page in
            let answer = try await page.get(page.media())
            #expect(answer.status == 429)
            #expect(try await page.reason(answer).contains("at most 0 may (limit.filmsPerAccount)"))
            #expect(answer.headers[.retryAfter] == "60" && Self.started(page) == 0)
        }
    }
}
