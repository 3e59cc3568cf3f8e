import CloudAssets
import CloudHTTP
import CloudModel
import CloudStore
import Foundation
import NIOCore
import TestAssets
import TestCloud
import Testing

@testable import CloudPages

/// Live Photos and motion photos: one item each.
@Suite(.timeLimit(.minutes(5)))
struct LivePhotoTests {
    private static let still = Data(
        MediaFile(identifier: "0A1B2C3D-LIVE-1").photo(Pictures.gray(width: 64, height: 48)))
    private static let movie = Data(MediaFile(hasPlace: true, identifier: "0A1B2C3D-LIVE-1").movie())

    /// Shares records with these fields of files and captions.
    private func withAlbum(
        _ records: [(name: String, files: [String: Data], caption: String)],
        _ body: @Sendable (TripFixture, _ page: String) async throws -> Void
    ) async throws {
        try await TripFixture.run { trip in
            let app = trip.sender
            try await app.makeZone("Z")
            try await app.save(zone: "Z", "root", type: "Album", fields: #""title": {"value": "Live"}"#)
            for record in records {
                var fields = [#""caption": {"value": "\#(record.caption)"}"#]
                for (field, bytes) in record.files.sorted(by: { $0.key < $1.key }) {
                    let value = try await trip.upload(bytes, record.name, "Photo", field, in: "private", zone: "Z", app)
                    fields.append(#""\#(field)": {"value": \#(value)}"#)
                }
                _ = try await app.modify(
                    zone: "Z",
                    [
                        Operation.write(
                            "create", record.name, type: "Photo", fields: fields.joined(separator: ", "),
                            extra: #", "parent": {"recordName": "root"}"#)
                    ])
            }
            let guid = try await app.share("root", in: "Z", permission: "READ_ONLY")
            try await trip.finishFacts()
            try await body(trip, "/share/\(guid)")
        }
    }

    private func count(_ page: String) -> (pictures: Int, players: Int) {
        (page.matches(of: #/<img /#).count, page.matches(of: #/<video/#).count)
    }

    private func heading(_ page: String) -> String? {
        page.matches(of: #/<p class="line"><bdi>([^<]*)</#).dropFirst().first.map { String($0.output.1) }
    }

    @Test("Halves in different parts of a long page are one photo in its heading") func farHalves() async throws {
        let others = (0..<120).map { (name: "t\($0)", files: [String: Data](), caption: "n\($0)") }
        let halves = [
            (name: "m", files: ["file": Self.movie], caption: "IMG_1.MOV"),
            (name: "s", files: ["file": Self.still], caption: "IMG_1.HEIC"),
        ]
        try await withAlbum([halves[0]] + others + [halves[1]]) { trip, path in
            let page = try await trip.server.send(.get, path).text
            #expect(heading(page) == "1 photo, 120 records")
            let next = try #require(page.firstMatch(of: #/id="more" rel="next" href="([^"]+)"/#)?.output.1)
            let second = try await trip.server.send(.get, App.unescaped(String(next))).text
            #expect(heading(second) == "1 photo, 120 records")
        }
    }

    @Test("A still and a movie in one record are one item, and one stem in a zip") func oneRecord() async throws {
        let clip = Data("\0\0\0\u{14}ftypqt  \0\0\u{2}\0qt  \0\0\0\u{8}wide\0\0\u{4}\0mdat".utf8) + Data(count: 1016)
        let plain = Data(Pictures.gray(width: 64, height: 48))
        try await withAlbum([
            ("p7", ["still": plain, "live": clip], "IMG_7.HEIC"), ("p8", ["still": plain, "live": clip], "IMG_8.HEIC"),
        ]) { trip, path in
            let page = try await trip.server.send(.get, path).text
            #expect(count(page) == (2, 0))
            #expect(heading(page) == "2 photos")
            let lives = page.matches(of: #/data-live="([^"]+)"/#).map { App.unescaped(String($0.output.1)) }
            try #require(lives.count == 2)
            #expect(try await trip.bytes(lives[0]).body == clip)
            let names = try await StoredZip(trip.bytes("\(path)/zip").body).names
            #expect(names == ["1 IMG_7.jpg", "1 IMG_7.mov", "2 IMG_8.jpg", "2 IMG_8.mov"])
        }
    }

    @Test("Halves with one identifier are one item, wherever their records stand", .everyAssetKeeping)
    func identifier() async throws {
        let other = Data(MediaFile(identifier: "0A1B2C3D-LIVE-2").movie())
        try await withAlbum([
            ("m", ["file": Self.movie], "IMG_1.MOV"), ("x", ["file": other], "film"),
            ("s", ["file": Self.still], "IMG_1.HEIC"),
        ]) { trip, path in
            let page = try await trip.server.send(.get, path).text
            #expect(count(page) == (2, 0))
            #expect(page.matches(of: #/class="photo video"/#).count == 1)
            let live = try #require(page.firstMatch(of: #/data-live="([^"]+)"/#)?.output.1)
            let bytes = try await trip.bytes(App.unescaped(String(live))).body
            #expect(bytes.count == Self.movie.count && bytes != Self.movie)
            let names = try await StoredZip(trip.bytes("\(path)/zip").body).names.sorted()
            #expect(names == ["1 film.mov", "2 IMG_1.jpg", "2 IMG_1.mov"])
            let mark = ItemKey(recordName: "s", field: "file", index: 0).mark
            let visitor = WebVisitor(trip.server)
            #expect(try await visitor.submit("\(path)/zip", ["i": mark]).text.contains("IMG_1.mov"))
        }
    }

    @Test("Halves without identifiers are one item by their names, if they were taken together")
    func names() async throws {
        let plain = { (time: String) in
            Data(MediaFile(time: time, offset: "+02:00").photo(Pictures.gray(width: 64, height: 48)))
        }
        let still = plain("2026:06:14 10:00:00")
        let movie = { (clock: String) in Data(MediaFile(time: clock, offset: "+02:00").movie()) }
        try await withAlbum([
            ("img_1.MOV", ["file": movie("2026:06:14 10:00:02")], "moving"),
            ("IMG_2.mov", ["file": movie("2026:06:14 10:01:00")], "far"),
            ("IMG_3", ["file": movie("2026:06:14 10:00:01")], "other"), ("IMG_1.HEIC", ["file": still], "still"),
            ("IMG_2.HEIC", ["file": plain("2026:06:14 10:00:01")], "two"),
            ("IMG_3.HEIC", ["file": plain("2026:06:14 10:00:02")], "three"),
        ]) { trip, path in
            let page = try await trip.server.send(.get, path).text
            #expect(page.matches(of: #/data-live="/#).count == 1 && heading(page) == "3 photos, 2 videos")
            let window = try await trip.server.send(.get, "\(path)/items")
            let motions = window["motions"]?.array?.compactMap(\.string).map { !$0.isEmpty }
            #expect(window["count"]?.integer == 5 && motions?.filter { $0 }.count == 1)
            let names = try await StoredZip(trip.bytes("\(path)/zip").body).names
            #expect(names.contains("1 still.jpg") && names.contains("1 still.mov"), "\(names)")
        }
    }

    @Test("The video inside a motion photo is a range of the file, without its place", .everyAssetKeeping)
    func motion() async throws {
        let picture = Pictures.gray(width: 64, height: 48)
        let video = MediaFile(hasPlace: true).movie()
        let file = Data(MediaFile(hasPlace: true).motionPhoto(picture, video: video))
        try await withAlbum([("p", ["file": file], "PXL.MP.jpg")]) { trip, path in
            let page = try await trip.server.send(.get, path).text
            let live = App.unescaped(String(try #require(page.firstMatch(of: #/data-live="([^"]+)"/#)?.output.1)))
            #expect(live.contains("part=motion"))
            let answer = try await trip.bytes(live)
            #expect(answer.status == 200 && answer.headers[.contentType] == "video/mp4")
            #expect(answer.body.count == video.count && answer.body != Data(video))
            let part = try await trip.server.client.execute(
                uri: live, method: .get, headers: [.range: "bytes=4-11"], body: nil)
            #expect(part.status == .partialContent && Data(part.body.readableBytesView) == answer.body[4..<12])
            let other = live.replacing("part=motion", with: "part=sound")
            #expect(try await trip.server.send(.get, other).status == 400)
            _ = try await trip.settle(#"{"places": true}"#, id: String(path.split(separator: "/")[1]))
            #expect(try await trip.bytes(live).body == Data(video))
        }
    }

    @Test("A picture without a video inside has no motion part") func noMotion() async throws {
        try await withAlbum([("p", ["file": Self.still], "one")]) { trip, path in
            let key = ItemKey(recordName: "p", field: "file", index: 0).text
            let answer = try await trip.server.send(.get, "\(path)/media/\(key)?part=motion")
            #expect(answer.status == 404)
        }
    }
}
