import CloudAccounts
import CloudHTTP
import CloudModel
import CloudServer
import Foundation
import TestCloud
import Testing

@testable import CloudPages

/// What visitors of a page may download, by the owner's setting.
@Suite(.timeLimit(.minutes(5)))
struct PageDownloadsTests {
    /// An album with a photo, a video and another file; their paths under its page.
    private struct Album {
        let trip: TripFixture
        let guid: String
        let keys: [String: String]

        var page: String { "/share/\(guid)" }

        func path(_ kind: String, _ name: String) -> String { "\(page)/\(kind)/\(keys[name] ?? "")" }

        func set(_ downloads: String) async throws -> Answer {
            try await trip.settle(#"{"downloads": \#(downloads)}"#, id: guid)
        }

        func status(_ path: String) async throws -> Int { try await trip.server.send(.get, path).status }
    }

    /// - Parameter posters: false for a page whose video is a player.
    private func withAlbum(
        posters: Bool = true, _ body: @Sendable (Album) async throws -> Void
    ) async throws {
        try await TripFixture.run(configure: { $0.posters = posters }) { trip in
            let app = trip.sender
            try await app.makeZone("Z")
            try await app.save(zone: "Z", "root", type: "Album", fields: #""title": {"value": "Our year"}"#)
            for (name, bytes) in [
                ("photo", try TripFixture.photo("cat")), ("video", PageSummaryTests.video),
                ("file", Data("Passport\n".utf8)),
            ] {
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
            let keys = ["photo", "video", "file"].map {
                ($0, ItemKey(recordName: $0, field: "file", index: 0).text)
            }
            try await body(Album(trip: trip, guid: guid, keys: Dictionary(uniqueKeysWithValues: keys)))
        }
    }

    @Test("Originals are downloaded as long as the owner settles nothing else") func originals() async throws {
        try await withAlbum(posters: false) { album in
            #expect(try await album.trip.bytes(album.path("download", "photo")).body == TripFixture.photo("cat"))
            for name in ["video", "file"] { #expect(try await album.status(album.path("download", name)) == 200) }
            let zip = try await album.trip.bytes("\(album.page)/zip")
            #expect(try StoredZip(zip.body).files.count == 3)
            #expect(!(try await album.trip.server.send(.get, album.page).text.contains("nodownload")))
        }
    }

    @Test("Reduced downloads are smaller copies of pictures, and no other files", arguments: [true, false])
    func reduced(posters: Bool) async throws {
        try await withAlbum(posters: posters) { album in
            #expect(try await album.set(#""reduced""#)["downloads"] == "reduced")
            let copy = try await album.trip.bytes(album.path("download", "photo"))
            #expect(copy.status == 200 && copy.headers[.contentType] == "image/jpeg")
            #expect(copy.headers[.contentDisposition]?.hasPrefix("attachment;") == true)
            #expect(try copy.body != TripFixture.photo("cat"))
            #expect(copy.headers[.eTag]?.contains("copy") == true)
            for name in ["video", "file"] { #expect(try await album.status(album.path("download", name)) == 404) }
            // Playback is what a page can show of a video.
            #expect(try await album.status(album.path("media", "video")) == 200)
            let zip = try await album.trip.bytes("\(album.page)/zip")
            #expect(zip.status == 200)
            #expect(try StoredZip(zip.body).files == [copy.body])
            #expect(try StoredZip(zip.body).names.map { $0.suffix(4) } == [".jpg"])
            let page = try await album.trip.server.send(.get, album.page).text
            #expect(page.contains(posters ? "photo video" : "nodownload"))
            #expect(page.matches(of: #/\/download\//#).count == 1)
            #expect(!(try await album.trip.server.send(.get, album.path("about", "photo")).text.contains("\"Size\"")))
        }
    }

    @Test("Without downloads no file, zip or chosen zip is given, and no page offers one") func none() async throws {
        try await withAlbum { album in
            #expect(try await album.set(#""none""#)["downloads"] == "none")
            for name in ["photo", "video", "file"] {
                #expect(try await album.status(album.path("download", name)) == 404)
            }
            #expect(try await album.status("\(album.page)/zip") == 404)
            let page = try await album.trip.server.send(.get, album.page).text
            #expect(!page.contains("/download/") && !page.contains("/zip\"") && !page.contains(">Download"))
            let mark = try #require(page.firstMatch(of: #/data-mark="([^"]+)"/#)?.output.1)
            let visitor = WebVisitor(album.trip.server)
            #expect(try await visitor.submit("\(album.page)/zip", ["i": String(mark)]).status == 404)
            #expect(try await album.status(album.path("preview/large", "photo")) == 200)
            #expect(try await album.status(album.path("media", "video")) == 200)
        }
    }

    @Test("The owner gets originals whatever visitors may download") func owner() async throws {
        try await withAlbum { album in
            for downloads in ["reduced", "none"] {
                _ = try await album.set(#""\#(downloads)""#)
                let owner = try await album.trip.browser(of: "mei@example.com")
                let answer = try await owner.open(album.path("download", "file"))
                #expect(answer.status == 200, "\(downloads)")
                #expect(try await owner.open(album.page).text.contains("<option value=\"\(downloads)\" selected>"))
            }
        }
    }

    @Test("A member who is not the owner is a visitor of the page") func member() async throws {
        try await withAlbum { album in
            let ben = try await album.trip.server.signIn("ben@example.com", TripFixture.container)
            #expect(try await ben.accept(album.guid)["results.0.participantStatus"] == "ACCEPTED")
            _ = try await album.set(#""none""#)
            let browser = try await album.trip.browser(of: "ben@example.com")
            #expect(try await browser.open(album.page).status == 200)
            #expect(try await browser.open(album.path("download", "photo")).status == 404)
        }
    }

    /// Members read originals by the API.
    @Test("A link with fewer downloads lets in only people invited by name") func joining() async throws {
        try await withAlbum { album in
            let eve = try await album.trip.server.signIn("eve@example.com", TripFixture.container)
            for downloads in ["reduced", "none"] {
                _ = try await album.set(#""\#(downloads)""#)
                #expect(
                    try await eve.accept(album.guid)["results.0.serverErrorCode"] == "ACCESS_DENIED", "\(downloads)")
                let browser = try await album.trip.browser(of: "eve@example.com")
                #expect(!(try await browser.open(album.page).text.contains("\(album.page)/accept")), "\(downloads)")
            }
            _ = try await album.set(#""originals""#)
            #expect(try await eve.accept(album.guid)["results.0.participantStatus"] == "ACCEPTED")
        }
    }

    @Test("The owner settles downloads on the page, with one of three values") func settings() async throws {
        try await withAlbum { album in
            let owner = try await album.trip.browser(of: "mei@example.com")
            let settings = "\(album.page)/settings"
            for (value, status) in [("none", 404), ("everything", 404), ("originals", 200)] {
                #expect(try await owner.submit(settings, ["expires": "keep", "downloads": value]).status == 303)
                #expect(try await album.status(album.path("download", "file")) == status, "\(value)")
            }
            for body in [#""all""#, "1", "true", "[]"] {
                let answer = try await album.set(body)
                #expect(answer.status == 400 && answer.reason.contains("downloads"), "\(answer.reason)")
            }
            _ = try await album.set(#""none""#)
            #expect(try await album.set("null")["downloads"] == "originals")
        }
    }

    @Test("A rule without downloads binds the owner too, and leaves no choice") func ruled() async throws {
        try await TripFixture.run { trip in
            let rule = """
                {"recordType": "SharedVacation", "title": "{locationName}", "downloadable": false,
                 "items": {"recordType": "SharedPhoto", "join": {"field": "shareId", "equals": "shareId"},
                           "asset": "photoAsset"}}
                """
            try await trip.server.accounts.pageRules.set(
                try PageRule(try JSONParser.parse(Array(rule.utf8))), container: TripFixture.container)
            _ = try await trip.settle(#"{"downloads": "originals"}"#)
            let photo = ItemKey(recordName: "\(TripFixture.id)_0", field: "photoAsset", index: 0).text
            let owner = try await trip.browser(of: "mei@example.com")
            #expect(try await owner.open("\(trip.path)/download/\(photo)").status == 404)
            #expect(!(try await owner.open(trip.path).text.contains("name=\"downloads\"")))
        }
    }
}
