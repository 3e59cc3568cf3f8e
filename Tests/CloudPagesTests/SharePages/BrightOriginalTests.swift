import CloudAssets
import CloudHTTP
import CloudMedia
import CloudModel
import Foundation
import TestAssets
import TestCloud
import Testing

@testable import CloudPages
@testable import CloudServer

/// Originals of pictures with a gain map, which pages show on bright screens.
@Suite(.timeLimit(.minutes(5)))
struct BrightOriginalTests {
    private struct Album {
        let trip: TripFixture
        let guid: String
        var page: String { "/share/\(guid)" }

        func path(_ name: String) -> String {
            "\(page)/media/\(ItemKey(recordName: name, field: "file", index: 0).text)"
        }

        /// The names of items with the mark on the page, and their marks in its window.
        func marks() async throws -> (page: [String], window: [String]) {
            let text = try await trip.server.send(.get, page).text
            let found = text.matches(of: #/<a class="photo[^>]*data-mark="([^"]*)"[^>]*data-hdr="([^"]*)"/#)
            let window = try await trip.server.send(.get, "\(page)/items?count=200")
            return (found.map { String($0.output.2) }, window["hdr"]?.array?.compactMap(\.string) ?? [])
        }
    }

    private static func gainMap(_ place: Bool = false) throws -> Data {
        let photo = [UInt8](try TripFixture.photo("cat"))
        return Data(MediaFile.withGainMap(place ? MediaFile(hasPlace: true).photo(photo) : photo))
    }

    private func withAlbum(
        _ files: [(name: String, bytes: Data)], posters: Bool = true, _ body: @Sendable (Album) async throws -> Void
    ) async throws {
        try await TripFixture.run(configure: { $0.posters = posters }) { trip in
            let app = trip.sender
            try await app.makeZone("Z")
            try await app.save(zone: "Z", "root", type: "Album", fields: #""title": {"value": "Our year"}"#)
            for (name, bytes) in files {
                let value = try await trip.upload(bytes, name, "Memory", "file", in: "private", zone: "Z", app)
                _ = try await app.modify(
                    zone: "Z",
                    [
                        Operation.write(
                            "create", name, type: "Memory", fields: #""file": {"value": \#(value)}"#,
                            extra: #", "parent": {"recordName": "root"}"#)
                    ])
            }
            let guid = try await app.share("root", in: "Z", permission: "READ_ONLY")
            let album = Album(trip: trip, guid: guid)
            // Facts are read once a file is asked for.
            for (name, _) in files {
                _ = try await trip.server.send(.get, album.path(name).replacing("/media/", with: "/download/"))
            }
            try await body(album)
        }
    }

    @Test(
        "A picture with a gain map is marked, and its original is shown in place, without its place",
        .everyAssetKeeping)
    func shown() async throws {
        let bright = try Self.gainMap(true)
        try await withAlbum([("bright", bright), ("plain", try TripFixture.photo("coffee"))]) { album in
            let (page, window) = try await album.marks()
            #expect(page == ["jpeg"] && window.sorted() == ["", "jpeg"])
            let answer = try await album.trip.bytes(album.path("bright"))
            #expect(answer.status == 200 && answer.headers[.contentType] == "image/jpeg")
            #expect(answer.headers[.contentDisposition] == "inline")
            #expect(answer.headers[.cacheControl] == "private, no-cache")
            #expect(answer.body == Data(PlaceRemoval.withoutPlace(Array(bright)) ?? []) && answer.body != bright)
            let tag = try #require(answer.headers[.eTag])
            let again = try await album.trip.server.send(
                .get, album.path("bright"), headers: [.condition.noneMatch: tag])
            #expect(again.status == 304)
            let plain = try await album.trip.server.send(.get, album.path("plain"))
            #expect(plain.status == 404)
        }
    }

    @Test("Without downloads of originals there is no mark and no original") func withoutDownloads() async throws {
        try await withAlbum([("bright", try Self.gainMap())]) { album in
            for downloads in ["reduced", "none"] {
                let settled = try await album.trip.settle(#"{"downloads": "\#(downloads)"}"#, id: album.guid)
                #expect(settled["downloads"] == .string(downloads))
                let (page, window) = try await album.marks()
                #expect(page.isEmpty && window == [""], "\(downloads)")
                let answer = try await album.trip.server.send(.get, album.path("bright"))
                #expect(answer.status == 404, "\(downloads)")
            }
        }
    }

    @Test("An original of more than 20 MB is not shown, and one of exactly as much is") func sizes() async throws {
        let photo = try Self.gainMap()
        // Bytes before the end of the picture, which decoders skip.
        func padded(_ count: Int) -> Data { photo.dropLast(2) + Data(count: count - photo.count) + photo.suffix(2) }
        try await withAlbum([("fits", padded(20_000_000)), ("large", padded(20_000_001))]) { album in
            #expect(try await album.marks().window.sorted() == ["", "jpeg"])
            let statuses = [
                try await album.trip.server.send(.get, album.path("fits")).status,
                try await album.trip.server.send(.get, album.path("large")).status,
            ]
            #expect(statuses == [200, 404])
        }
    }

    @Test("Previews of a PQ picture are made of its mapped tones, and of its pixels without ffmpeg")
    func mapped() async throws {
        let picture = try Data(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Fixtures/hdr/pq.avif").standardizedFileURL)
        var found: [Data] = []
        for posters in [true, false] {
            let (stream, source) = AsyncStream<Data>.makeStream()
            try await withAlbum([("bright", picture)], posters: posters) { album in
                #expect(try await album.marks().window == [""])
                let path = album.path("bright")
                let media = try await album.trip.server.send(.get, path)
                #expect(media.status == 404)
                for size in posters ? PreviewSize.allCases : [.medium] {
                    let answer = try await album.trip.bytes(
                        path.replacing("/media/", with: "/preview/\(size.rawValue)/"))
                    #expect(answer.status == 200 && answer.headers[.contentType] == "image/jpeg")
                    if size == .medium { source.yield(answer.body) }
                }
            }
            source.finish()
            for await bytes in stream { found.append(bytes) }
        }
        #expect(found.count == 2 && found.first != found.last)
    }
}
