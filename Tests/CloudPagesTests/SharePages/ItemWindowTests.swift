import CloudHTTP
import CloudModel
import CloudStore
import Foundation
import NIOCore
import TestCloud
import Testing

@testable import CloudPages

/// Windows of a long page: its pictures by their places.
@Suite(.timeLimit(.minutes(10)))
struct ItemWindowTests {
    private func window(
        _ album: LongAlbum, _ query: String = "", headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await album.trip.server.send(.get, "\(album.path)/items\(query)", headers: headers)
    }

    /// The marks of all pictures in the order of the page's parts.
    private func marks(_ album: LongAlbum) async throws -> [String] {
        var marks: [String] = []
        var path: String? = album.path
        while let part = path {
            let page = try await album.trip.server.send(.get, part)
            marks += page.text.matches(of: #/data-mark="([^"]+)"/#).map { String($0.output.1) }
            path = page.text.firstMatch(of: #/rel="next" href="([^"]+)"/#).map {
                String($0.output.1).replacing("&amp;", with: "&")
            }
        }
        return marks
    }

    private func strings(_ answer: Answer, _ key: String) -> [String] {
        answer[key]?.array?.compactMap(\.string) ?? []
    }

    private func rows(_ answer: Answer, _ album: LongAlbum) async throws -> Int64 {
        try #require(try await album.trip.server.record(of: answer)["cost.rowsRead"]?.integer)
    }

    @Test("A part has at most 100 pictures, however many a record has, and all are reached", arguments: [11, 101])
    func tilesOfParts(records: Int) async throws {
        try await TripFixture.run { trip in
            let album = try await LongAlbum.make(trip, records: records, pictures: 10)
            let page = try await trip.server.send(.get, album.path)
            #expect(page.text.matches(of: #/class="tile/#).count == 100)
            let found = try await marks(album)
            #expect(found.count == records * 10 && Set(found).count == records * 10)
            let window = try await window(album, "?from=95&count=10")
            #expect(strings(window, "marks") == Array(found[95..<105]))
        }
    }

    @Test("Windows hold the pictures of the parts, each once and in their order, for the rows of their own records")
    func windows() async throws {
        try await TripFixture.run { trip in
            let album = try await LongAlbum.make(trip, records: 450)
            let expected = try await marks(album)
            #expect(expected.count == 450 && Set(expected).count == 450)
            let first = try await window(album, "?from=0&count=200")
            #expect(first.status == 200 && first["count"]?.integer == 450, "\(first.text.prefix(300))")
            let version = try #require(first["version"]?.string)
            var found: [String] = []
            for from in stride(from: 0, to: 450, by: 200) {
                let part = try await window(album, "?from=\(from)&count=200&version=\(version)")
                #expect(part["from"]?.integer == Int64(from))
                for key in [
                    "keys", "versions", "names", "widths", "heights", "colors", "days", "lengths", "motions", "hdr",
                    "videos", "posters", "captioned", "downloads",
                ] {
                    #expect(part[key]?.array?.count == part["marks"]?.array?.count, "\(key)")
                }
                found += strings(part, "marks")
            }
            #expect(found == expected)
            let across = try await window(album, "?from=95&count=10&version=\(version)")
            #expect(strings(across, "marks") == Array(expected[95..<105]))
            #expect(try await rows(across, album) < 1000)
            let keys = strings(first, "keys")
            for item in [expected[150], keys[150]] {
                let linked = try await window(album, "?item=\(item)&count=100&version=\(version)")
                #expect(linked["from"]?.integer == 100 && strings(linked, "marks") == Array(expected[100..<200]))
            }
            #expect(strings(try await window(album, "?from=450&version=\(version)"), "marks").isEmpty)
        }
    }

    @Test("Of 20,000 pictures windows show the first, the middle and the last; a page of one more has no windows")
    func most() async throws {
        try await TripFixture.run { trip in
            let album = try await LongAlbum.make(trip, records: 200, pictures: 100)
            let page = try await trip.server.send(.get, album.path)
            #expect(page.text.contains("&quot;count&quot;:20000"))
            #expect(page.text.matches(of: #/class="tile/#).count == 100)
            #expect(page.text.utf8.count < 200_000, "\(page.text.utf8.count)")
            for from in [0, 9950, 19_900] {
                let part = try await window(album, "?from=\(from)&count=200")
                #expect(part.status == 200 && part["count"]?.integer == 20_000)
                let expected = (from..<min(from + 200, 20_000)).map { place in
                    ItemKey(recordName: "p\(place / 100)", field: "photos", index: place % 100).mark
                }
                #expect(strings(part, "marks") == expected, "\(from)")
                #expect(try await rows(part, album) < 1000)
            }
            #expect(strings(try await window(album, "?from=20000"), "marks").isEmpty)
            let last = ItemKey(recordName: "p199", field: "photos", index: 99).mark
            #expect(try await window(album, "?item=\(last)&count=200")["from"]?.integer == 19_800)

            try await album.add("new")
            let refusal = try await window(album, "?from=20000")
            #expect(refusal.status == 400 && refusal.text.contains("more than 20000 items"), "\(refusal.text)")
            // Its parts are as short, though they stand as the store gives them.
            var path = album.path
            var found: Set<String> = []
            for _ in 0..<3 {
                let part = try await trip.server.send(.get, path)
                let marks = part.text.matches(of: #/data-mark="([^"]+)"/#).map { String($0.output.1) }
                #expect((1...100).contains(marks.count) && found.isDisjoint(with: marks), "\(marks.count)")
                found.formUnion(marks)
                let next = try #require(part.text.firstMatch(of: #/rel="next" href="([^"]+)"/#))
                path = String(next.output.1).replacing("&amp;", with: "&")
            }
        }
    }

    @Test("A window of 200 takes at most 12 kB") func size() async throws {
        try await TripFixture.run { trip in
            let album = try await LongAlbum.make(trip, records: 220)
            let response = try await trip.server.client.execute(
                uri: "\(album.path)/items?from=0&count=200", method: .get, headers: [.acceptEncoding: "gzip"], body: nil
            )
            #expect(response.headers[.contentEncoding] == "gzip")
            #expect((1...12_000).contains(response.body.readableBytes), "\(response.body.readableBytes)")
        }
    }

    @Test("Pictures that come or go give the page another version, changes elsewhere do not")
    func versions() async throws {
        try await TripFixture.run { trip in
            let album = try await LongAlbum.make(trip, records: 120)
            let old = try #require(try await window(album)["version"]?.string)
            try await trip.sender.save(zone: "Long", "note", fields: #""text": {"value": "not shared"}"#)
            #expect(try await window(album, "?version=\(old)").status == 200)
            try await album.add("new")
            let added = try await window(album, "?version=\(old)")
            #expect(added.status == 409 && added["version"]?.string != old && added["marks"] == nil)
            let new = try #require(added["version"]?.string)
            let whole = try await window(album, "?version=\(new)")
            #expect(whole.status == 200 && whole["count"]?.integer == 121)
            try await album.delete("p3")
            #expect(try await window(album, "?version=\(new)").status == 409)
            #expect(try await window(album)["count"]?.integer == 120)
        }
    }

    @Test("Visitors get what the owner chose, the owner everything") func chosen() async throws {
        try await TripFixture.run { trip in
            let album = try await LongAlbum.make(trip, records: 130)
            let whole = strings(try await window(album), "marks")
            _ = try await trip.settle(#"{"items": ["p4", "p125", "p7"]}"#, id: album.guid)
            let some = try await window(album)
            #expect(strings(some, "marks") == [4, 7, 125].map { whole[$0] })
            #expect(some["count"]?.integer == 3)
        }
    }

    @Test("A closed page tells nothing of its items")
    func closed() async throws {
        try await TripFixture.run { trip in
            let album = try await LongAlbum.make(trip, records: 3)
            for body in [
                #"{"password": "fado vinho"}"#, #"{"password": null, "takenDown": true}"#,
                #"{"takenDown": false, "expiresAt": 1000}"#,
            ] {
                #expect(try await trip.settle(body, id: album.guid).status == 200, "\(body)")
                let page = try await trip.server.send(.get, album.path)
                let answer = try await window(album)
                #expect([403, 410].contains(answer.status) && answer.status == page.status, "\(body)")
                #expect(!answer.text.contains("marks") && !answer.text.contains("version"), "\(body)")
            }
        }
    }

    @Test("Refusals name the field and its limit")
    func refusals() async throws {
        try await TripFixture.run { trip in
            let album = try await LongAlbum.make(trip, records: 3)
            for (query, field) in [
                ("?count=201", "count"), ("?count=0", "count"), ("?count=x", "count"), ("?from=-1", "from"),
                ("?from=4", "from"), ("?item=none", "item"), ("?item=", "item"), ("?item=AAAAAAAAAAA", "item"),
                ("?from=99999999999999999999", "from"), ("?from=", "from"),
            ] {
                let answer = try await window(album, query)
                #expect(answer.status == 400 && answer.text.contains(field), "\(query)")
                #expect(try await trip.server.send(.get, "/share/none/items\(query)").status < 500)
            }
        }
    }

    @Test("A page in parts tells its order, a page in one part none") func page() async throws {
        try await TripFixture.run { trip in
            let album = try await LongAlbum.make(trip, records: 101)
            let page = try await trip.server.send(.get, album.path)
            #expect(page.text.contains("data-grid=\"{&quot;version&quot;"))
            #expect(page.text.contains("&quot;count&quot;:101"))
            #expect(!(try await trip.server.send(.get, trip.path)).text.contains("data-grid"))
        }
    }
}

/// The order of a page's pictures, and the memory of orders.
@Suite(.timeLimit(.minutes(1)))
struct PageOrderTests {
    private func order(parts: [Int], days: [PageOrder.Day] = []) -> PageOrder {
        var start = 0
        let all = parts.enumerated().map { index, count in
            defer { start += count }
            return PageOrder.Part(marker: index == 0 ? nil : "\(index)", start: start, count: count, pictures: start)
        }
        return PageOrder(marks: [], version: "v", parts: all, days: days, count: start, others: 0, isCut: false)
    }

    @Test(
        "Places are found in the parts that hold them",
        arguments: [
            (0..<1, [0]), (99..<101, [0, 1]), (100..<100, []), (100..<200, [1]), (0..<250, [0, 1, 3]), (249..<250, [3]),
            (250..<250, []),
        ])
    func parts(places: Range<Int>, expected: [Int]) {
        let order = order(parts: [100, 100, 0, 50])
        #expect(
            order.parts(of: places).filter { $0.count > 0 }.map { $0.start / 100 + ($0.start == 200 ? 1 : 0) }
                == expected)
    }

    @Test("Days stand one after the other, or there are none") func days() {
        let day = { (day: Int) in PageOrder.Day(day: day, count: 1) }
        #expect(order(parts: [3], days: [day(1), day(2), day(5)]).isByDay)
        #expect(!order(parts: [3], days: [day(1), day(2), day(1)]).isByDay)
        #expect(!order(parts: [3], days: [day(1)]).isByDay)
    }

    @Test("The memory of orders is bounded, and the order that was used last stays") func memory() async throws {
        let orders = PageOrders(most: 20_000)
        let key = { (id: Int) in
            PageOrders.Key(container: "c", environment: .development, id: "\(id)", isOwner: false)
        }
        let stamp = PageOrders.Stamp(position: nil, items: nil, rule: nil, layout: .automatic)
        let some = order(parts: [100])
        var made = 0
        for id in 0..<200 {
            for wanted in [0, id] {
                _ = try await orders.order(key(wanted), stamp) {
                    made += 1
                    return some
                }
            }
            #expect(orders.bytes <= 20_000)
        }
        #expect(made == 200 && orders.count < 20)
        orders.forget(key(0))
        _ = try await orders.order(key(0), stamp) {
            made += 1
            return some
        }
        #expect(made == 201)
    }
}
