import CloudAccounts
import CloudAssets
import CloudHTTP
import CloudMedia
import CloudModel
import CloudStore
import Foundation
import NIOCore
import TestAssets
import TestCloud
import Testing

@testable import CloudPages
@testable import CloudServer

/// Where pictures were taken, which visitors learn only if the owner says so.
@Suite(.timeLimit(.minutes(5)), .everyAssetKeeping)
struct PagePlacesTests {
    private static let photo = Data(MediaFile(time: "2026:06:14 23:30:00", offset: "+09:00", hasPlace: true).photo())
    private static let movie = Data(MediaFile(hasPlace: true).movie())
    private static let note = Data("Passport\n".utf8)

    private static func placeless(_ file: Data) -> Data { Data(PlaceRemoval.withoutPlace(Array(file)) ?? []) }

    private struct Album {
        let trip: TripFixture
        let guid: String
        var page: String { "/share/\(guid)" }

        func path(_ kind: String, _ name: String) -> String {
            "\(page)/\(kind)/\(ItemKey(recordName: name, field: "file", index: 0).text)"
        }

        func set(_ places: Bool) async throws {
            #expect(try await trip.settle(#"{"places": \#(places)}"#, id: guid)["places"] == .bool(places))
        }
    }

    private func withAlbum(
        _ files: [(name: String, bytes: Data)], _ body: @Sendable (Album) async throws -> Void
    ) async throws {
        try await TripFixture.run { trip in
            let app = trip.sender
            try await app.makeZone("Z")
            try await app.save(zone: "Z", "root", type: "Album", fields: #""title": {"value": "Our year"}"#)
            for (name, bytes) in files {
                let value = try await trip.upload(bytes, name, "Memory", "file", in: "private", zone: "Z", app)
                _ = try await app.modify(
                    zone: "Z",
                    [
                        Operation.write(
                            "create", name, type: "Memory",
                            fields: """
                                "file": {"value": \(value)}, "title": {"value": "\(name)"},
                                "where": {"value": {"latitude": 52.5, "longitude": 13.4}, "type": "LOCATION"}
                                """,
                            extra: #", "parent": {"recordName": "root"}"#)
                    ])
            }
            try await body(
                Album(trip: trip, guid: try await app.share("root", in: "Z", permission: "READ_ONLY")))
        }
    }

    private func withFiles(_ body: @Sendable (Album) async throws -> Void) async throws {
        try await withAlbum([("photo", Self.photo), ("movie", Self.movie), ("note", Self.note)], body)
    }

    @Test("Downloads have no place, and differ from the originals in nothing else") func downloads() async throws {
        try await withFiles { album in
            for (name, original) in [("photo", Self.photo), ("movie", Self.movie)] {
                let answer = try await album.trip.bytes(album.path("download", name))
                #expect(answer.status == 200 && answer.body == Self.placeless(original), "\(name)")
                #expect(answer.body != original && answer.body.count == original.count)
                #expect(answer.headers[.eTag]?.contains("placeless") == true)
            }
            #expect(try await album.trip.bytes(album.path("download", "note")).body == Self.note)
            #expect(try await album.trip.bytes(album.path("media", "movie")).body == Self.placeless(Self.movie))
        }
    }

    @Test("Ranges of a file are those of the file without its place") func ranges() async throws {
        try await withFiles { album in
            let whole = Self.placeless(Self.movie)
            for range in [0..<1, 100..<whole.count, whole.count - 80..<whole.count - 10] {
                let part = try await album.trip.server.client.execute(
                    uri: album.path("media", "movie"), method: .get,
                    headers: [.range: "bytes=\(range.lowerBound)-\(range.upperBound - 1)"], body: nil)
                #expect(part.status == .partialContent)
                #expect(part.headers[.contentRange]?.hasSuffix("/\(whole.count)") == true)
                #expect(Data(part.body.readableBytesView) == whole[range], "\(range)")
            }
        }
    }

    @Test("A zip has no places, the right checksums, and the length that it told") func zip() async throws {
        try await withFiles { album in
            let zip = try await album.trip.bytes("\(album.page)/zip")
            #expect(zip.status == 200 && zip.headers[.contentLength] == "\(zip.body.count)")
            let files = try StoredZip(zip.body).files
            #expect(Set(files) == [Self.placeless(Self.photo), Self.placeless(Self.movie), Self.note])
            for file in files {
                var facts = AssetFacts()
                facts.update(ByteBuffer(bytes: file))
                let sum = facts.description([UInt8](repeating: 0, count: 32)).crc32
                let bytes = (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
                #expect(zip.body.range(of: Data(bytes)) != nil)
            }
            try await album.set(true)
            let whole = try StoredZip(try await album.trip.bytes("\(album.page)/zip").body)
            #expect(Set(whole.files) == [Self.photo, Self.movie, Self.note])
        }
    }

    @Test("With places on, visitors get originals; the owner always does") func settings() async throws {
        try await withFiles { album in
            let owner = try await album.trip.browser(of: "mei@example.com")
            let (photo, settings) = (album.path("download", "photo"), "\(album.page)/settings")
            #expect(try await album.trip.bytes(photo, as: owner).body == Self.photo)
            #expect(try await owner.submit(settings, ["expires": "keep", "places": "yes"]).status == 303)
            let checked = #"name="places" value="yes" aria-describedby="places-text" checked"#
            #expect(try await owner.open(album.page).text.contains(checked))
            #expect(try await album.trip.bytes(photo).body == Self.photo)
            #expect(try await owner.submit(settings, ["expires": "keep"]).status == 303)
            #expect(try await album.trip.bytes(photo).body == Self.placeless(Self.photo))
            let answer = try await album.trip.settle(#"{"places": "yes"}"#, id: album.guid)
            #expect(answer.status == 400 && answer.reason.contains("places: must be true or false"))
        }
    }

    @Test("Fields and details tell the place only with places on") func told() async throws {
        try await withFiles { album in
            let visitor = album.trip.server
            try await album.trip.finishFacts()
            let about = album.path("about", "photo")
            #expect(!(try await visitor.send(.get, about).text.contains("52.5")))
            try await album.set(true)
            #expect(try await visitor.send(.get, about).text.contains("52.5"))
        }
    }

    @Test("A picture with broken metadata is not given to visitors, and the owner is told") func broken() async throws {
        var broken = Self.photo
        broken.replaceSubrange(20...21, with: [0xFF, 0xFF])
        try await withAlbum([("broken", broken), ("photo", Self.photo)]) { [broken] album in
            let path = album.path("download", "broken")
            #expect(try await album.trip.server.send(.get, path).status == 404)
            let zip = try StoredZip(try await album.trip.bytes("\(album.page)/zip").body)
            #expect(zip.files == [Self.placeless(Self.photo)])
            let page = try await album.trip.server.send(.get, album.page).text
            #expect(!page.contains(path) && page.contains(album.path("download", "photo")))
            let owner = try await album.trip.browser(of: "mei@example.com")
            #expect(try await owner.open(album.page).text.contains("cannot be removed for certain: broken"))
            #expect(try await album.trip.bytes(path, as: owner).body == broken)
            try await album.set(true)
            #expect(try await album.trip.bytes(path).body == broken)
        }
    }

    private static func originals(_ formats: [String]) throws -> [(name: String, bytes: Data)] {
        try formats.map { ($0, Data(try #require(MediaFile(hasPlace: true).file($0)))) }
    }

    @Test("Originals of rarer formats have no place either") func formats() async throws {
        let originals = try Self.originals(MediaFile.formats)
        try await withAlbum(originals + [("note", Self.note)]) { [originals] album in
            for (name, original) in originals {
                let answer = try await album.trip.bytes(album.path("download", name))
                #expect(answer.status == 200 && answer.body == Self.placeless(original), "\(name)")
                #expect(answer.body != original, "\(name)")
                let media = try await album.trip.bytes(album.path("media", name))
                #expect(name == "M4A" ? media.body == answer.body : media.status == 404, "\(name)")
            }
            let zip = try StoredZip(try await album.trip.bytes("\(album.page)/zip").body)
            #expect(Set(zip.files) == Set(originals.map { Self.placeless($0.bytes) } + [Self.note]))
            let owner = try await album.trip.browser(of: "mei@example.com")
            #expect(!(try await owner.open(album.page).text.contains("cannot be removed for certain")))
            try await album.set(true)
            for (name, original) in originals {
                #expect(try await album.trip.bytes(album.path("download", name)).body == original, "\(name)")
            }
        }
    }

    @Test("Originals of rarer formats with places that stay are not given") func unreadFormats() async throws {
        let originals = try Self.originals(MediaFile.unreadFormats)
        try await withAlbum(originals + [("note", Self.note)]) { [originals] album in
            let owner = try await album.trip.browser(of: "mei@example.com")
            let page = try await owner.open(album.page).text
            let told = try #require(page.firstMatch(of: #/cannot be removed for certain: ([^<]*)/#)?.output.1)
            for (name, original) in originals {
                let path = album.path("download", name)
                #expect(try await album.trip.server.send(.get, path).status == 404, "\(name)")
                #expect(try await album.trip.bytes(album.path("media", name)).status == 404, "\(name)")
                #expect(told.contains(name), "\(told)")
                #expect(try await album.trip.bytes(path, as: owner).body == original, "\(name)")
            }
            #expect(try StoredZip(try await album.trip.bytes("\(album.page)/zip").body).files == [Self.note])
        }
    }

    @Test("Files that lie are given or refused, and never fail", arguments: 0..<2) func fuzzed(seed: Int) async throws {
        var files: [(name: String, bytes: Data)] = []
        var random = SeededGenerator(seed: UInt64(seed + 1))
        for number in 0..<48 {
            var bytes = Array(number.isMultiple(of: 2) ? Self.photo : Self.movie)
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 4..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random)) }
            files.append(("f\(number)", Data(bytes)))
        }
        try await withAlbum(files) { [files] album in
            for (name, bytes) in files {
                let answer = try await album.trip.bytes(album.path("download", name))
                #expect([200, 404].contains(answer.status), "\(name)")
                if answer.status == 200 { #expect(answer.body.count == bytes.count) }
            }
            #expect([200, 404].contains(try await album.trip.bytes("\(album.page)/zip").status))
            #expect(try await album.trip.server.send(.get, album.page).status == 200)
        }
    }
}

extension TripFixture {
    /// Returns when the facts of all files are known.
    func finishFacts() async throws { try await server.finishFacts(Self.container) }
}

extension TestServer {
    /// Returns when the facts of all files of a container are known.
    func finishFacts(_ name: String) async throws {
        let container = try await accounts.containers.require(named: name)
        let store = try await responder.stores.existing(container: container, environment: .development)
        await store?.assets.finishFacts()
    }
}
