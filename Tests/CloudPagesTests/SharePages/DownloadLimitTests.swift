import CloudHTTP
import CloudModel
import CloudServer
import Foundation
import NIOCore
import TestCloud
import Testing

@testable import CloudPages

/// Pages with more files than one zip may have.
@Suite(.timeLimit(.minutes(5)))
struct DownloadLimitTests {
    private static func run(_ body: @Sendable (TripFixture) async throws -> Void) async throws {
        try await TripFixture.run(configure: { $0.limits.assets.perDownload = 2 }, body)
    }

    private static func mark(_ number: Int) -> String {
        ItemKey(recordName: "\(TripFixture.id)_\(number)", field: "photoAsset", index: 0).mark
    }

    @Test("A download that cannot work is not offered; the page says how many files can be had at once")
    func offer() async throws {
        try await Self.run { trip in
            let page = try await trip.server.send(.get, trip.path).text
            #expect(!page.contains("Download all"))
            #expect(page.contains("Choose some of them, at most 2 at once."))
            #expect(page.contains(#"id="choose""#) && page.contains(#"action="\#(trip.path)/zip""#))
            let german = try await trip.server.send(.get, trip.path + "?lang=de").text
            #expect(german.contains("höchstens 2 auf einmal"))
            try await trip.publish("few", photos: ["cat", "moon"])
            let few = try await trip.server.send(.get, "/share/few").text
            #expect(few.contains("Download all") && !few.contains("at most 2"))
        }
    }

    @Test("The refusal of too many files has the number in every language")
    func refusal() async throws {
        try await Self.run { trip in
            for tag in Languages.own.all.map(\.tag) {
                let language = try #require(Languages.own.named(tag))
                let answer = try await trip.server.send(.get, "\(trip.path)/zip?lang=\(tag)")
                #expect(answer.status == 400, "\(tag)")
                let text = language.text("choose.tooMany.text", ["count": .number(2)])
                #expect(answer.text.contains(text), "\(tag)")
            }
        }
    }

    @Test("Of many files some can be chosen, as many as one zip may have") func choice() async throws {
        try await Self.run { trip in
            let two = "i=\(Self.mark(0))&i=\(Self.mark(2))"
            let headers: HTTPFields = [
                .contentType: "application/x-www-form-urlencoded", .origin: "http://localhost",
            ]
            let given = try await trip.server.send(
                .post, "\(trip.path)/zip", headers: headers, body: ByteBuffer(string: two))
            #expect(given.status == 200)
            let all = try await trip.server.send(
                .post, "\(trip.path)/zip", headers: headers, body: ByteBuffer(string: two + "&i=\(Self.mark(1))"))
            #expect(all.status == 400 && all.text.contains("at most 2 at once"))
        }
    }
}
