import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import Testing

/// Pages read what they show, however many other records there are.
@Suite(.timeLimit(.minutes(10)))
struct PageWorkTests {
    /// Records beside those that a page shows.
    private static let others = 200

    private func rows(of answer: Answer, on server: TestServer) async throws -> Int {
        Int(try #require(try await server.record(of: answer)["cost.rowsRead"]?.integer))
    }

    /// A share of an album with many notes and three photos among them.
    private func album(_ trip: TripFixture, ofZone: Bool) async throws -> String {
        let app = trip.sender
        try await app.makeZone("Z")
        try await app.save(zone: "Z", "root", type: "Album", fields: #""title": {"value": "Our year"}"#)
        func add(_ writes: [String]) async throws {
            #expect(try await app.modify(zone: "Z", writes)["records.0.recordChangeTag"] != nil)
        }
        let parent = #", "parent": {"recordName": "root"}"#
        for (index, name) in TripFixture.photos.enumerated() {
            let notes = (0..<Self.others / 3).map {
                Operation.write(
                    "create", "n\(index)-\($0)", type: "Memory", fields: #""title": {"value": "x"}"#, extra: parent)
            }
            for start in stride(from: 0, to: notes.count, by: 100) {
                try await add(Array(notes[start..<min(start + 100, notes.count)]))
            }
            let photo = try await trip.upload(
                try TripFixture.photo(name), name, "Memory", "file", in: "private", zone: "Z", app)
            try await add([
                Operation.write("create", name, type: "Memory", fields: #""file": {"value": \#(photo)}"#, extra: parent)
            ])
        }
        return ofZone
            ? try await app.share(nil, in: "Z", permission: "READ_ONLY")
            : try await app.share("root", in: "Z", permission: "READ_ONLY")
    }

    @Test("A share page of chosen records reads these records only", arguments: [false, true])
    func chosenOfShare(ofZone: Bool) async throws {
        try await TripFixture.run { trip in
            let guid = try await album(trip, ofZone: ofZone)
            _ = try await trip.settle(#"{"items": ["coffee", "n2-7", "none"]}"#, id: guid)
            let page = try await trip.server.send(.get, "/share/\(guid)")
            #expect(page.status == 200 && page.text.contains("1 photo, 1 record"))
            #expect(try await rows(of: page, on: trip.server) < 50)
        }
    }

    @Test("A zip reads only records with files", arguments: [false, true])
    func zipOfShare(ofZone: Bool) async throws {
        try await TripFixture.run { trip in
            let guid = try await album(trip, ofZone: ofZone)
            let zip = try await trip.bytes("/share/\(guid)/zip")
            #expect(zip.status == 200 && zip.body.count > 10_000)
            let names = try StoredZip(zip.body).names
            #expect(names.count == TripFixture.photos.count, "\(names)")
            let request = try await trip.server.send(.get, "/share/\(guid)/zip")
            #expect(try await rows(of: request, on: trip.server) < 80)
        }
    }

    @Test("A public page of chosen records reads these only, in the order of the rule")
    func chosenOfPage() async throws {
        try await TripFixture.run { trip in
            let notes = (0..<Self.others).map {
                Operation.write(
                    "create", "p\($0)", type: "SharedPhoto",
                    fields: #""shareId": {"value": "\#(TripFixture.id)"}, "orderIndex": {"value": \#($0 + 10)}"#)
            }
            for start in stride(from: 0, to: notes.count, by: 100) {
                _ = try await trip.sender.modify(in: "public", Array(notes[start..<start + 100]))
            }
            let whole = try await trip.server.send(.get, "\(trip.path)/zip")
            #expect(whole.status == 200)
            #expect(try await rows(of: whole, on: trip.server) < 80)
            _ = try await trip.settle(#"{"items": ["\#(TripFixture.id)_2", "p199", "\#(TripFixture.id)_0"]}"#)
            let page = try await trip.server.send(.get, trip.path)
            #expect(page.status == 200)
            let shown = page.text.matches(of: #/preview/tile/([A-Za-z0-9_-]+)\./#).map { String($0.output.1) }
            let expected = ["0", "2"].map { Base64URL.encode(Array("\(TripFixture.id)_\($0)".utf8)) }
            #expect(shown.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } == expected)
            #expect(try await rows(of: page, on: trip.server) < 60)
        }
    }
}
