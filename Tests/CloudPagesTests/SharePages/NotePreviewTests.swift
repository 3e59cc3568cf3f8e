import CloudHTTP
import CloudModel
import CloudServer
import Foundation
import TestCloud
import Testing

@testable import CloudPages

/// What messengers are told of notes and web addresses.
@Suite(.timeLimit(.minutes(5)))
struct NotePreviewTests {
    private func share(
        _ trip: TripFixture, fields: String, permission: String = "READ_ONLY"
    ) async throws -> String {
        let app = trip.sender
        try await app.makeZone("N")
        try await app.save(zone: "N", "note", type: "Note", fields: fields)
        let tag = try await app.tag(of: "note", zone: "N")
        let answer = try await app.modify(
            zone: "N", [Sharing.creation(of: "note", tag: tag, permission: permission, title: "")])
        return "/share/\(try #require(answer["records.0.shortGUID"]?.string, "\(answer.text)"))"
    }

    private static func content(_ property: String, _ page: Answer) throws -> String? {
        let pattern = try Regex("property=\"\(property)\" content=\"([^\"]*)\"", as: (Substring, Substring).self)
        return try pattern.firstMatch(in: page.text).map { App.unescaped(String($0.output.1)) }
    }

    @Test("Of a note messengers are told the first line and the beginning of the rest") func note() async throws {
        try await TripFixture.run { trip in
            let rest = String(repeating: "a few words ", count: 30)
            let text = #"\n  Things to\tbring \n\nTent & rope\n\#(rest)"#
            let path = try await share(trip, fields: #""text": {"value": "\#(text)"}"#)
            let page = try await trip.server.send(.get, path)
            #expect(try Self.content("og:title", page) == "Things to bring")
            let told = try #require(try Self.content("og:description", page))
            #expect(told.hasPrefix("Tent & rope a few words") && told.hasSuffix("…") && told.count <= 160)
            #expect(page.text.contains("<h1>Something shared with you</h1>"))
        }
    }

    @Test("A note with a title is told by its title and its beginning") func titled() async throws {
        try await TripFixture.run { trip in
            let path = try await share(
                trip, fields: #""title": {"value": "Weekend"}, "text": {"value": "Tent\nRope"}"#)
            let page = try await trip.server.send(.get, path)
            #expect(try Self.content("og:title", page) == "Weekend")
            #expect(try Self.content("og:description", page) == "Tent Rope")
        }
    }

    @Test("Of a web address messengers are told the host") func address() async throws {
        try await TripFixture.run { trip in
            let path = try await share(trip, fields: #""link": {"value": "https://example.com/secret?token=1"}"#)
            let page = try await trip.server.send(.get, path)
            #expect(try Self.content("og:title", page) == "example.com")
            #expect(try Self.content("og:description", page)?.contains("secret") == false)
        }
    }

    @Test("Messengers are told the operator's name of the server") func siteName() async throws {
        try await TripFixture.run(configure: { $0.siteName = "Mei & friends" }) { trip in
            let path = try await share(trip, fields: #""text": {"value": "Tent"}"#)
            #expect(try Self.content("og:site_name", try await trip.server.send(.get, path)) == "Mei & friends")
        }
    }

    @Test("Of a locked note messengers are told nothing", arguments: ["password", "invited"])
    func locked(how: String) async throws {
        try await TripFixture.run { trip in
            let path = try await share(
                trip, fields: #""text": {"value": "Bring the tent"}"#,
                permission: how == "invited" ? "NONE" : "READ_ONLY")
            if how == "password" {
                _ = try await trip.settle(#"{"password": "fado"}"#, id: String(path.dropFirst("/share/".count)))
            }
            let page = try await trip.server.send(.get, path)
            #expect(page.status == 403)
            #expect(!page.text.contains("og:") && !page.text.contains("Bring"))
            let owner = try await trip.browser(of: "mei@example.com").open(path)
            #expect(owner.text.contains("Bring the tent") && !owner.text.contains("og:"))
        }
    }

    @Test("A title of hundreds of thousands of characters is cut") func hostile() async throws {
        try await TripFixture.run { trip in
            let path = try await share(
                trip, fields: #""text": {"value": "\#(String(repeating: "x\u{301}", count: 50_000))"}"#)
            let title = try #require(try Self.content("og:title", try await trip.server.send(.get, path)))
            #expect(title.count == 80 && title.hasSuffix("…"))
        }
    }
}
