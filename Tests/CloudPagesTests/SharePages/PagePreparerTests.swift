import CloudHTTP
import CloudModel
import Foundation
import Synchronization
import TestCloud
import Testing

@testable import CloudPages
@testable import CloudServer
@testable import CloudStore

/// Previews that are made before anybody asks.
@Suite(.timeLimit(.minutes(10)))
struct PagePreparerTests {
    private static func previews(_ trip: TripFixture) -> [String] {
        let folder = AssetFolders(data: trip.server.folder).previews(of: "1-development-assets")
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { !$0.contains(".draft") }
    }

    /// Waits until there are this many previews of a size.
    static func wait(for count: Int, _ size: PreviewSize, _ trip: TripFixture) async throws {
        while previews(trip).filter({ $0.contains("-\(size.rawValue)-") }).count < count {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    static func started(_ trip: TripFixture) -> Int? {
        trip.server.responder.stores.previews?.started
    }

    private static func addresses(_ pattern: String, _ page: Answer) throws -> [String] {
        try page.text.matches(of: Regex(pattern, as: (Substring, Substring).self)).map {
            String($0.output.1).replacing("&amp;", with: "&")
        }
    }

    /// Asks for the cover and the tiles of a page as a messenger and a browser do, which starts no program.
    private static func checkReady(_ path: String, tiles: Int, _ trip: TripFixture) async throws {
        let before = started(trip)
        let page = try await trip.server.send(.get, path)
        let cover = try #require(try addresses(#"og:image" content="([^"]*)""#, page).first)
        let links = Set(try addresses(#" src="([^"]*/preview/tile/[^"]*)""#, page))
        #expect(links.count == tiles)
        for link in links.union([String(cover.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })]) {
            let response = try await trip.server.client.execute(
                uri: link, method: .get, headers: [.accept: "image/avif,*/*"], body: nil)
            #expect(response.status == .ok, "\(link)")
        }
        #expect(started(trip) == before && before != nil)
    }

    @Test("A public page has its cover and tiles before anybody opens it, whichever record came first")
    func published() async throws {
        try await TripFixture.run(configure: { $0.preparesPreviews = true }) { trip in
            try await Self.wait(for: 3, .tile, trip)
            try await Self.wait(for: 1, .cover, trip)
            try await Self.checkReady(trip.path, tiles: 3, trip)
            // Items before the page.
            for number in 0..<2 {
                try await trip.addPhoto(number, Data(Pictures.gray(width: 80 + number, height: 80)), to: "late")
            }
            try await trip.publish("late", photos: [])
            try await Self.wait(for: 5, .tile, trip)
            try await Self.wait(for: 2, .cover, trip)
            try await Self.checkReady("/share/late", tiles: 2, trip)
        }
    }

    @Test("A share has them, of pictures from before and after it was made") func shared() async throws {
        try await TripFixture.run(configure: { $0.preparesPreviews = true }) { trip in
            try await Self.wait(for: 3, .tile, trip)
            let app = trip.sender
            try await app.makeZone("Z")
            try await app.save(zone: "Z", "root", type: "Album", fields: #""title": {"value": "Year"}"#)
            let add = { (number: Int) in
                let value = try await trip.upload(
                    Data(Pictures.gray(width: 90 + number, height: 90)), "p\(number)", "Memory", "photo", in: "private",
                    zone: "Z", app)
                let write = Operation.write(
                    "create", "p\(number)", type: "Memory", fields: #""photo": {"value": \#(value)}"#,
                    extra: #", "parent": {"recordName": "root"}"#)
                let answer = try await app.modify(zone: "Z", [write])
                #expect(answer["records.0.recordChangeTag"] != nil, "\(answer.text)")
            }
            for number in 0..<2 { try await add(number) }
            let before = Self.previews(trip).count
            let guid = try await app.share("root", in: "Z", permission: "READ_ONLY")
            try await Self.wait(for: 5, .tile, trip)
            #expect(Self.previews(trip).count > before)
            try await add(2)
            try await Self.wait(for: 6, .tile, trip)
            try await Self.wait(for: 2, .cover, trip)
            try await Self.checkReady("/share/\(guid)", tiles: 3, trip)
        }
    }

    @Test("A page that is closed has none until it is opened") func closed() async throws {
        try await TripFixture.run(configure: { $0.preparesPreviews = true }) { trip in
            try await Self.wait(for: 1, .cover, trip)
            try await Self.wait(for: 3, .tile, trip)
            try await trip.publish("closed", photos: [])
            _ = try await trip.settle(#"{"takenDown": true}"#, id: "closed")
            try await trip.addPhoto(0, Data(Pictures.gray(width: 70, height: 70)), to: "closed")
            try await trip.addPhoto(1, Data(Pictures.gray(width: 71, height: 70)), to: "closed")
            // A later page is prepared, the closed one is not.
            try await trip.publish("open", photos: ["moon", "temple"])
            try await Self.wait(for: 5, .tile, trip)
            try await Self.wait(for: 2, .cover, trip)
            #expect(Self.previews(trip).filter { $0.contains("-tile-") }.count == 5)
            _ = try await trip.settle(#"{"takenDown": false}"#, id: "closed")
            try await Self.wait(for: 7, .tile, trip)
            try await Self.wait(for: 3, .cover, trip)
            try await Self.checkReady("/share/closed", tiles: 2, trip)
        }
    }

    @Test("A page with a password has tiles and no cover; of a long page the first 60 pictures have tiles")
    func limits() async throws {
        try await TripFixture.run(configure: { $0.preparesPreviews = true }) { trip in
            try await Self.wait(for: 3, .tile, trip)
            try await trip.publish("long", photos: [])
            _ = try await trip.settle(#"{"password": "fado"}"#, id: "long")
            for number in 0..<63 {
                try await trip.addPhoto(number, Data(Pictures.gray(width: 100 + number, height: 64)), to: "long")
            }
            try await Self.wait(for: 63, .tile, trip)
            // Pictures of another page follow.
            try await trip.publish("other", photos: ["moon", "temple"])
            try await Self.wait(for: 65, .tile, trip)
            try await Self.wait(for: 2, .cover, trip)
            #expect(Self.previews(trip).filter { $0.contains("-tile-") }.count == 65)
            #expect(Self.previews(trip).filter { $0.contains("-cover-") }.count == 2)
        }
    }
}

/// Turns of pages that are prepared.
@Suite(.timeLimit(.minutes(5)))
struct PagePreparationTests {
    private static func key(_ number: Int) -> PagePreparation.Key {
        PagePreparation.Key(container: 1, environment: .development, page: .published("\(number)"))
    }

    @Test("A page is prepared once at a time, and again after it changed meanwhile") func again() async {
        let preparation = PagePreparation()
        #expect(preparation.begins(Self.key(1), of: "mei"))
        #expect(!preparation.begins(Self.key(1), of: "mei"))
        var count = 0
        await preparation.run(Self.key(1), of: "mei") { _ in
            count += 1
            if count < 3 { #expect(!preparation.begins(Self.key(1), of: "mei")) }
        }
        #expect(count == 3 && preparation.count == 0)
    }

    @Test("The pages that wait are bounded for each owner and for all") func bounds() async {
        let preparation = PagePreparation()
        for number in 0..<PagePreparation.mostOfOwner { #expect(preparation.begins(Self.key(number), of: "mei")) }
        #expect(!preparation.begins(Self.key(-1), of: "mei"))
        var number = PagePreparation.mostOfOwner
        while preparation.begins(Self.key(number), of: "\(number)") { number += 1 }
        #expect(number == PagePreparation.most && preparation.count == PagePreparation.most)
        await preparation.run(Self.key(0), of: "mei") { _ in }
        #expect(preparation.begins(Self.key(-1), of: "mei"))
    }

    private final class State: Sendable {
        let running = Atomic(0)
        let most = Atomic(0)
        let count = Atomic(0)
    }

    @Test("One picture is made at a time") func turns() async {
        let preparation = PagePreparation()
        let state = State()
        await withDiscardingTaskGroup { group in
            for number in 0..<8 where preparation.begins(Self.key(number), of: "\(number % 3)") {
                group.addTask {
                    await preparation.run(Self.key(number), of: "\(number % 3)") { turn in
                        for _ in 0..<5 {
                            try await turn {
                                let now = state.running.add(1, ordering: .relaxed).newValue
                                state.most.max(now, ordering: .relaxed)
                                await Task.yield()
                                state.running.subtract(1, ordering: .relaxed)
                                state.count.add(1, ordering: .relaxed)
                            }
                        }
                    }
                }
            }
        }
        #expect(state.most.load(ordering: .relaxed) == 1 && state.count.load(ordering: .relaxed) == 40)
    }
}
