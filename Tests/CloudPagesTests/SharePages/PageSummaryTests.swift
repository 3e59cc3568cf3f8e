import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import Testing

/// The lines under the heading of a page: time, size and owner.
struct PageSummaryTests {
    private func lines(_ page: Answer) -> [String] {
        page.text.matches(of: #/<p class="line"><bdi>([^<]*)</bdi></p>/#).map { String($0.output.1) }
    }

    /// An album of Anna's with a photo, a video, a file and two texts.
    private func album(_ trip: TripFixture) async throws -> (guid: String, owner: App) {
        _ = try await trip.server.accounts.users.create(
            email: Self.email, givenName: "Anna", familyName: "Chen")
        let app = try await trip.server.signIn(Self.email, TripFixture.container)
        try await app.makeZone("Z")
        try await app.save(
            zone: "Z", "root", type: "Album",
            fields: #""title": {"value": "Our year"}, "mood": {"value": "calm"}"#)
        let photo = try await trip.upload(
            try TripFixture.photo("cat"), "p", "Memory", "file", in: "private", zone: "Z", app)
        let video = try await trip.upload(Self.video, "v", "Memory", "file", in: "private", zone: "Z", app)
        let file = try await trip.upload(Data("%PDF-1.4\n".utf8), "f", "Memory", "file", in: "private", zone: "Z", app)
        for (name, value) in [("p", photo), ("v", video), ("f", file)] {
            try await add(name, #""file": {"value": \#(value)}"#, to: app)
        }
        for name in ["t", "u"] { try await add(name, #""title": {"value": "\#(name)"}"#, to: app) }
        return (try await app.share("root", in: "Z", permission: "READ_ONLY"), app)
    }

    private static let email = "anna@example.com"

    private func add(_ name: String, _ fields: String, to app: App) async throws {
        let write = Operation.write(
            "create", name, type: "Memory", fields: fields, extra: #", "parent": {"recordName": "root"}"#)
        #expect(try await app.modify(zone: "Z", [write])["records.0.recordChangeTag"] != nil)
    }

    /// The beginning of an MP4 file.
    static let video = Data("\0\0\0\u{18}ftypisom\0\0\0\0isommp42".utf8) + Data(repeating: 7, count: 5000)

    @Test("A share page shows its date, its contents and its owner")
    func summary() async throws {
        let day = Timestamp(wholeSeconds: 1_700_000_000)
        try await TripFixture.run(clock: { day }) { trip in
            let guid = try await album(trip).guid
            let page = try await trip.server.send(.get, "/share/\(guid)")
            let said = lines(page)
            #expect(said.count == 3, "\(said)")
            #expect(said[1] == "1 photo, 1 video, 1 file, 2 records")
            #expect(said[2] == "Shared by Anna Chen")
            #expect(page.text.contains(#"property="og:description" content="\#(said[0])"#))
        }
    }

    @Test("A share page counts only chosen items, except for the owner")
    func chosenItems() async throws {
        try await TripFixture.run { trip in
            let (guid, anna) = try await album(trip)
            _ = try await trip.settle(#"{"items": ["p", "t"]}"#, id: guid, as: anna)
            #expect(lines(try await trip.server.send(.get, "/share/\(guid)"))[1] == "1 photo, 1 record")
            let owner = try await trip.browser(of: Self.email).open("/share/\(guid)")
            #expect(lines(owner)[1] == "1 photo, 1 video, 1 file, 2 records")
        }
    }

    @Test("A file that stands twice in a list counts twice, on a page in several parts too", arguments: [1, 102])
    func sameFile(records: Int) async throws {
        try await TripFixture.run { trip in
            let album = try await LongAlbum.make(trip, records: records, pictures: 2)
            let page = try await trip.server.send(.get, album.path)
            #expect(lines(page)[1] == "\(records * 2) photos")
        }
    }

    @Test("Below pictures, the fields of the shared record are folded")
    func foldedFields() async throws {
        try await TripFixture.run { trip in
            let (guid, anna) = try await album(trip)
            let page = try await trip.server.send(.get, "/share/\(guid)").text
            #expect(page.contains(#"<details class="facts">"#))
            let details = try #require(page.range(of: "<details class=\"facts\">"))
            #expect(try #require(page.range(of: #"id="photos""#)).lowerBound < details.lowerBound)
            try await anna.save(zone: "Z", "alone", type: "Album", fields: #""mood": {"value": "calm"}"#)
            let alone = try await anna.share("alone", in: "Z", permission: "READ_ONLY")
            #expect(try await trip.server.send(.get, "/share/\(alone)").text.contains(#"<details class="facts" open>"#))
        }
    }

    @Test("A public page whose rule has no lines shows its date and contents but no owner")
    func bareRule() async throws {
        try await TripFixture.run { trip in
            let rule = #"""
                {"recordType": "SharedVacation", "title": "{locationName}", "items": {"recordType": "SharedPhoto",
                 "join": {"field": "shareId", "equals": "shareId"}, "asset": "photoAsset"}}
                """#
            try await trip.server.accounts.pageRules.set(
                try PageRule(try JSONParser.parse(Array(rule.utf8))), container: TripFixture.container)
            let said = lines(try await trip.server.send(.get, trip.path))
            #expect(said.count == 2)
            #expect(said.last == "3 photos")
            try await trip.publish("long", photos: Array(repeating: "cat", count: 101))
            #expect(lines(try await trip.server.send(.get, "/share/long")).last == "101 photos")
        }
    }

    @Test("A rule's texts by language are shown in the visitor's, else in English")
    func languages() async throws {
        try await TripFixture.run { trip in
            let rule = #"""
                {"recordType": "SharedVacation", "title": {"de": "Reise: {sharedBy}", "en": "Trip: {sharedBy}"},
                 "lines": [{"de": "{photoCount} Bilder", "en-GB": "{photoCount} pictures"}, "{sharedBy}"],
                 "items": {"recordType": "SharedPhoto", "join": {"field": "shareId", "equals": "shareId"},
                 "asset": "photoAsset", "caption": {"de": "Bild {orderIndex}", "fr": "Image {orderIndex}"}}}
                """#
            try await trip.server.accounts.pageRules.set(
                try PageRule(try JSONParser.parse(Array(rule.utf8))), container: TripFixture.container)
            for (language, title, line, caption) in [
                ("de-AT", "Reise: Mei", "3 Bilder", "Bild 0"), ("fr", "Trip: Mei", "3 pictures", "Image 0"),
                ("en", "Trip: Mei", "3 pictures", "Bild 0"),
            ] {
                let page = try await trip.server.send(.get, trip.path, headers: [.acceptLanguage: language])
                #expect(page.text.contains("<h1>\(title)</h1>") && lines(page) == [line, "Mei"], "\(language)")
                #expect(page.text.contains(#"aria-hidden="true">\#(caption)</span>"#), "\(language)")
            }
        }
    }

    @Test("Without a sort field the pictures of a public page are in order of creation")
    func pictureOrder() async throws {
        try await TripFixture.run { trip in
            let rule = #"""
                {"recordType": "SharedVacation", "title": "{locationName}", "items": {"recordType": "SharedPhoto",
                 "join": {"field": "shareId", "equals": "shareId"}, "asset": "photoAsset", "caption": "{orderIndex}"}}
                """#
            try await trip.server.accounts.pageRules.set(
                try PageRule(try JSONParser.parse(Array(rule.utf8))), container: TripFixture.container)
            try await trip.publish("back", photos: [])
            for index in [2, 0, 1] { try await trip.addPhoto(index, try TripFixture.photo("cat"), to: "back") }
            try await trip.addPhoto(2, try TripFixture.photo("moon"), to: "back")
            let page = try await trip.server.send(.get, "/share/back").text
            let captions = page.matches(of: #/class="caption"[^>]*>([^<]*)</#).map { String($0.output.1) }
            #expect(captions == ["2", "0", "1"])
        }
    }
}
