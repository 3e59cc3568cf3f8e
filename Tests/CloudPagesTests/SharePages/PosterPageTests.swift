import CloudHTTP
import CloudModel
import Foundation
import TestCloud
import Testing

@testable import CloudPages
@testable import CloudServer

/// Pictures of videos on pages.
@Suite(.timeLimit(.minutes(5)))
struct PosterPageTests {
    private static func film(_ name: String) throws -> Data {
        try Data(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Fixtures/films/\(name)").standardizedFileURL)
    }

    /// A shared record with a file, and the path of its page.
    private static func share(_ bytes: Data, _ trip: TripFixture, zone: String = "Z") async throws -> String {
        let app = trip.sender
        try await app.makeZone(zone)
        let value = try await trip.upload(bytes, "clip", "ClipItem", "file", in: "private", zone: zone, app)
        try await app.save(zone: zone, "clip", type: "ClipItem", fields: #""file": {"value": \#(value)}"#)
        return try await "/share/" + app.share("clip", in: zone, permission: "READ_ONLY")
    }

    private static func attribute(_ pattern: String, _ page: Answer) throws -> String? {
        try page.text.firstMatch(of: Regex(pattern, as: (Substring, Substring).self)).map {
            String($0.output.1).replacing("&amp;", with: "&")
        }
    }

    @Test("A video has a poster, and a page of videos alone a cover", arguments: ["red.mp4", "blue.webm"])
    func poster(name: String) async throws {
        try await TripFixture.run { trip in
            let path = try await Self.share(try Self.film(name), trip)
            let page = try await trip.server.send(.get, path)
            #expect(page.status == 200)
            let poster = try #require(try Self.attribute(#"preload="none" poster="([^"]*)""#, page))
            for (accept, type) in [("image/avif,*/*", "image/avif"), ("*/*", "image/jpeg")] {
                let picture = try await trip.server.download(poster, headers: [.accept: accept])
                #expect(picture.status == 200 && picture.headers[.contentType] == type)
                #expect(ImageSize(picture.bytes, type: type) == ImageSize(width: 320, height: 240))
            }
            let cover = try #require(try Self.attribute(#"og:image" content="http://localhost([^"]*)""#, page))
            #expect(!page.text.contains("og:image:width"))
            let picture = try await trip.server.download(cover)
            #expect(picture.headers[.contentType] == "image/jpeg" && picture.bytes.count < 300_000)
            for size in PreviewSize.allCases {
                let other = try await trip.server.download(poster.replacing("/medium/", with: "/\(size.rawValue)/"))
                #expect(other.status == 200)
            }
        }
    }

    @Test("Several videos stand in the grid with poster and length, in parts of a long page too")
    func tiles() async throws {
        try await TripFixture.run { trip in
            let app = trip.sender
            try await app.makeZone("Z")
            for (name, file) in [("a", "red.mp4"), ("b", "blue.webm")] {
                let film = try Self.film(file)
                let value = try await trip.upload(film, name, "ClipItem", "file", in: "private", zone: "Z", app)
                try await app.save(zone: "Z", name, type: "ClipItem", fields: #""file": {"value": \#(value)}"#)
            }
            try await trip.finishFacts()
            let path = try await "/share/" + app.share(nil, in: "Z", permission: "READ_ONLY")
            let page = try await trip.server.send(.get, path)
            #expect(page.status == 200 && !page.text.contains("<video"))
            #expect(page.text.contains(#"<ul class="grid few""#))
            #expect(page.text.matches(of: #/class="photo video"/#).count == 2)
            #expect(page.text.contains(#"<span class="length">0:01</span>"#), "\(page.text)")
            let film = try #require(try Self.attribute(#"data-video="([^"]*)""#, page))
            let link = try #require(try Self.attribute(#"class="photo video"[^>]* href="([^"]*)""#, page))
            #expect(film == link)
            let played = try await trip.bytes(film)
            #expect(played.status == 200 && played.headers[.contentType]?.hasPrefix("video/") == true)
            let poster = try #require(try Self.attribute(#"data-poster="([^"]*)""#, page))
            #expect(try await trip.server.download(poster).status == 200)
        }
    }

    @Test("Without posters a video is shown as before") func without() async throws {
        try await TripFixture.run(configure: { $0.posters = false }) { trip in
            let path = try await Self.share(try Self.film("red.mp4"), trip)
            let page = try await trip.server.send(.get, path)
            let video = try #require(try Self.attribute(#"<video src="([^"]*)#t=0.001""#, page))
            #expect(!page.text.contains("poster=") && !page.text.contains("og:image"))
            let preview = video.replacing("/media/", with: "/preview/medium/")
            let answer = try await trip.server.send(.get, preview)
            #expect(answer.status == 404)
        }
    }

    @Test(
        "A file that only begins like a video is played or not, has no poster after the first attempt, and causes no fault"
    )
    func broken() async throws {
        try await TripFixture.run { trip in
            let film = try Self.film("red.mp4")
            for (number, bytes) in [
                film.prefix(500), Data([0, 0, 0, 24]) + Data("ftypisom#EXTM3U\nhttp://127.0.0.1/a".utf8),
                film.prefix(12),
            ].enumerated() {
                let path = try await Self.share(Data(bytes), trip, zone: "Z\(number)")
                let first = try await trip.server.send(.get, path)
                #expect(first.status == 200, "\(number)")
                let video = try #require(try Self.attribute(#"<video src="([^"]*)#t=0.001""#, first), "\(number)")
                let answer = try await trip.server.send(.get, video.replacing("/media/", with: "/preview/medium/"))
                #expect(answer.status == 404, "\(number)")
                let page = try await trip.server.send(.get, path)
                #expect(page.status == 200 && !page.text.contains("poster=") && !page.text.contains("og:image"))
            }
        }
    }

}
