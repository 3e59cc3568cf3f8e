import CloudHTTP
import CloudModel
import Foundation
import TestCloud
import Testing

@testable import CloudPages
@testable import CloudServer
@testable import CloudStore

/// Messengers, which show a preview of a link.
@Suite(.timeLimit(.minutes(10)))
struct CrawlerTests {
    /// What messengers call themselves.
    private static let messengers = [
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
        "WhatsApp/2.24.8.85 A",
        "TelegramBot (like TwitterBot)",
        "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
        "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 "
            + "Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    ]

    private static func headers(_ agent: String) -> HTTPFields { [.userAgent: agent, .accept: "*/*"] }

    private static func tags(_ page: Answer) -> [String: String] {
        let found = page.text.matches(of: #/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">/#)
        return Dictionary(found.map { (String($0.output.1), App.unescaped(String($0.output.2))) }) { first, _ in first }
    }

    @Test("Six messengers get the same tags, and a picture that is made already and has at most 300 kB")
    func messengers() async throws {
        try await TripFixture.run(configure: { $0.preparesPreviews = true }) { trip in
            try await PagePreparerTests.wait(for: 3, .tile, trip)
            try await PagePreparerTests.wait(for: 1, .cover, trip)
            let started = try #require(PagePreparerTests.started(trip))
            for agent in Self.messengers {
                let page = try await trip.server.send(.get, trip.path, headers: Self.headers(agent))
                #expect(page.status == 200, "\(agent)")
                let tags = Self.tags(page)
                #expect(tags["og:title"] == "Lisbon <b>" && tags["twitter:title"] == "Lisbon <b>", "\(agent)")
                #expect(tags["og:site_name"] == "Trips" && tags["og:type"] == "website", "\(tags)")
                #expect(tags["og:url"] == "http://localhost\(trip.path)", "\(tags)")
                #expect(tags["og:locale"] == "en_US" && tags["twitter:card"] == "summary_large_image", "\(tags)")
                #expect((1...80).contains(tags["og:description"]?.count ?? 0), "\(tags)")
                #expect(tags["og:image:alt"]?.isEmpty == false && tags["og:image:type"] == "image/jpeg", "\(tags)")
                let address = try #require(tags["og:image"])
                #expect(tags["twitter:image"] == address)
                let picture = try await trip.server.download(
                    trip.server.path(of: address), headers: Self.headers(agent))
                #expect(picture.status == 200 && picture.headers[.contentType] == "image/jpeg", "\(agent)")
                #expect((1...300_000).contains(picture.bytes.count), "\(agent): \(picture.bytes.count)")
                let size = try #require(ImageSize(picture.bytes, type: "image/jpeg"))
                #expect(size.width <= 1200 && size.height <= 630)
                #expect(tags["og:image:width"] == "\(size.width)" && tags["og:image:height"] == "\(size.height)")
            }
            #expect(PagePreparerTests.started(trip) == started)
        }
    }

    @Test("Messengers learn nothing of a page with a password, by invitation, taken down or expired")
    func closed() async throws {
        try await TripFixture.run { trip in
            let open = Self.tags(try await trip.server.send(.get, trip.path))
            let picture = trip.server.path(of: try #require(open["og:image"]))
            let app = trip.sender
            try await app.makeZone("Z")
            try await app.save(zone: "Z", "root", type: "Album", fields: #""title": {"value": "Lisbon"}"#)
            let guid = try await app.share(
                "root", in: "Z", participants: [Sharing.entry(email: "ben@example.com")], more: "")
            try await expectNothing(of: "/share/\(guid)", trip)
            for body in [
                #"{"password": "fado"}"#, #"{"password": null, "takenDown": true}"#,
                #"{"takenDown": false, "expiresAt": 1000}"#,
            ] {
                #expect(try await trip.settle(body).status == 200)
                try await expectNothing(of: trip.path, trip)
                let agent = Self.headers(Self.messengers[0])
                #expect(try await [403, 410].contains(trip.server.download(picture, headers: agent).status))
            }
        }
    }

    @Test("A crawler at every address changes nothing, and starts few programs for each picture")
    func everyAddress() async throws {
        try await TripFixture.run { trip in
            let before = try await trip.server.send(.get, trip.links()).text
            let maker = try #require(trip.server.responder.stores.previews)
            // Those that scripts make are in no page.
            let keys = (0..<3).map {
                ItemKey(recordName: "\(TripFixture.id)_\($0)", field: "photoAsset", index: 0).text
            }
            let made = keys.flatMap { key in ["media", "download", "about"].map { "\(trip.path)/\($0)/\(key)" } }
            var waiting = made + ["items", "days"].map { "\(trip.path)/\($0)" } + ["\(trip.path)?lang=de", trip.path]
            var seen = Set(waiting)
            while let path = waiting.popLast() {
                let answer = try await trip.server.download(path, headers: Self.headers(Self.messengers[0]))
                #expect(answer.status < 500, "\(path): \(answer.status)")
                let isCookieExpected = path.contains("lang=") || path.hasPrefix("/auth/")
                #expect(answer.headers[.setCookie] == nil || isCookieExpected, "\(path)")
                guard answer.headers[.contentType]?.hasPrefix("text/html") == true, seen.count < Self.mostAddresses
                else { continue }
                for address in Self.addresses(in: String(decoding: answer.bytes, as: UTF8.self))
                where seen.insert(address).inserted { waiting.append(address) }
            }
            for kind in ["/preview/tile/", "/preview/large/", "/preview/cover/", "/zip", "/auth/signin", "/static/"] {
                #expect(seen.contains { $0.contains(kind) }, "\(kind) \(seen)")
            }
            #expect(maker.started <= 2 * PreviewSize.allCases.count * TripFixture.photos.count)
            #expect(try await trip.server.send(.get, trip.links()).text == before)
        }
    }

    private static let mostAddresses = 400

    /// The addresses of this server that a page names.
    private static func addresses(in page: String) -> [String] {
        let attributes = page.matches(of: #/ (?:href|src|srcset|content)="([^"]+)"/#).map {
            App.unescaped(String($0.output.1))
        }
        return attributes.flatMap {
            $0.split(separator: ", ").compactMap { $0.split(separator: " ").first.map(String.init) }
        }
        .map { $0.replacing(#/^http://localhost/#, with: "") }
        .filter { $0.hasPrefix("/") && !$0.hasPrefix("//") }
    }

    private func expectNothing(of path: String, _ trip: TripFixture) async throws {
        for agent in Self.messengers {
            let page = try await trip.server.send(.get, path, headers: Self.headers(agent))
            #expect([401, 403, 410].contains(page.status), "\(path): \(page.status)")
            #expect(Self.tags(page).isEmpty && !page.text.contains("Lisbon"), "\(path) \(agent)")
            #expect(!page.text.contains("/preview/") && page.text.contains("noindex"), "\(path) \(agent)")
        }
    }
}
