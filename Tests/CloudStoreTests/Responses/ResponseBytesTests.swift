import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Answers end once they hold so many bytes, and what comes after loses nothing.
struct ResponseBytesTests {
    private static let count = 30
    /// Room for three or four records of a thousand characters.
    private static let limit = 4000

    private func filled() async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let text = String(repeating: "x", count: 1000)
        for number in 0..<Self.count {
            let fields = #"{"t":{"value":"\#(text)"},"n":{"value":\#(number % 7)}}"#
            let more = number == 0 ? "" : parent("r0")
            _ = try await temporary.store.modify([operation(.create, "r\(number)", fields: fields, more: more)])
        }
        return temporary
    }

    private static let names = Set((0..<count).map { "r\($0)" })

    private func allowance() -> ResponseAllowance { ResponseAllowance(limit: Self.limit) }

    @Test(
        "A query's pages end at the byte limit and have each record once",
        arguments: [
            #"{"recordType":"Note"}"#, #"{"recordType":"Note","sortBy":{"fieldName":"n","ascending":false}}"#,
            #"{"recordType":"Note","sortBy":{"fieldName":"absent"}}"#,
        ])
    func query(text: String) async throws {
        let temporary = try await filled()
        _ = try await temporary.store.modify([
            operation(.forceUpdate, "r3", fields: #"{"absent":{"value":1}}"#)
        ])
        var names: [String] = []
        var marker: String?
        var pages = 0
        repeat {
            var request = QueryRequest(
                zone: .notes, zoneWide: false, query: try Query(json(text), limits: Limits()),
                continuationMarker: marker, limit: 200, strict: false, caller: .alice, limits: Limits())
            request.allowance = allowance()
            let page = try await temporary.store.queries.query(request)
            #expect(page.records.count <= 4)
            names += try page.records.map(changeName)
            marker = page.continuationMarker
            pages += 1
        } while marker != nil
        #expect(names.count == Self.count && Set(names) == Self.names)
        #expect(pages >= Self.count / 4)
    }

    @Test("A feed's pages end at the byte limit and have each record once", arguments: [false, true])
    func feed(reverse: Bool) async throws {
        let temporary = try await filled()
        let names = try await feedNames(temporary, .alice, reverse: reverse)
        #expect(names.count == Self.count && Set(names) == Self.names)
    }

    @Test("A shared feed's pages end at the byte limit and have each record once", arguments: [false, true])
    func sharedFeed(zoneWide: Bool) async throws {
        let temporary = try await filled()
        try await temporary.store.accept(
            try await temporary.store.share(zoneWide ? nil : "r0", with: ["_bob"]), as: "_bob")
        let names = try await feedNames(temporary, .bob, reverse: false).filter { $0.hasPrefix("r") }
        #expect(names.count == Self.count && Set(names) == Self.names)
    }

    private func feedNames(_ temporary: TemporaryStore, _ caller: Caller, reverse: Bool) async throws -> [String] {
        var names: [String] = []
        var token: String?
        var more = true
        while more {
            var request = ZoneChangesRequest(
                zone: .notes, caller: caller, syncToken: token, limit: 200, recordTypes: nil, reverse: reverse)
            request.allowance = allowance()
            let page = try await temporary.store.changes.changes(request)
            #expect(page.records.count <= 4)
            names += try page.records.map(changeName)
            (token, more) = (page.syncToken, page.moreComing)
        }
        return names
    }

    @Test("A zone without room in the answer has no records, and continues from its token", arguments: [false, true])
    func fullAnswer(isShared: Bool) async throws {
        let temporary = try await filled()
        try await temporary.store.accept(try await temporary.store.share(nil, with: ["_bob"]), as: "_bob")
        let caller = isShared ? Caller.bob : .alice
        for reverse in isShared ? [false] : [false, true] {
            var request = ZoneChangesRequest(
                zone: .notes, caller: caller, syncToken: nil, limit: 200, recordTypes: nil, reverse: reverse)
            request.allowance = allowance()
            try request.allowance.take(Self.limit)
            let page = try await temporary.store.changes.changes(request)
            #expect(page.records == [] && page.moreComing)
            let rest = try await temporary.store.changes(since: page.syncToken, caller: caller)
            #expect(Set(rest.names).isSuperset(of: Self.names))
        }
    }

    @Test("A lookup reads a repeated name once, and refuses by item what does not fit")
    func lookup() async throws {
        let temporary = try await filled()
        let shown = Tally()
        let request = LookupRequest(
            zone: .notes, names: Array(repeating: "r1", count: 50) + ["none"], caller: .alice,
            allowance: ResponseAllowance(limit: 20_000)
        ) { body, _ in
            shown.add()
            return body
        }
        let results = try await temporary.store.records.lookup(request)
        let found = results.prefix { (try? $0.get()) != nil }
        #expect((10...20).contains(found.count))
        #expect(shown.count == 1)
        #expect(results.count == 51)
        for result in results.dropFirst(found.count) {
            #expect(throws: ServerError.self) { try result.get() }
            if case .failure(let error) = result {
                #expect(error.code == .tryAgainLater && error.reason.contains("20000 bytes"))
                #expect(error.reason.contains("limit.responseBytes"))
            }
        }
    }

    @Test("Names that Unicode calls equivalent are looked up separately")
    func equivalentNames() async throws {
        let temporary = try await filled()
        _ = try await temporary.store.modify([operation(.create, "\u{e9}")])
        let found = try await temporary.store.records.lookup(
            LookupRequest(zone: .notes, names: ["\u{e9}", "e\u{301}"], caller: .alice))
        #expect((try? found[0].get()) != nil && (try? found[1].get()) == nil)
    }

    @Test("A projection counts shown bytes, not stored bytes")
    func projection() async throws {
        let temporary = try await filled()
        var request = QueryRequest(
            zone: .notes, zoneWide: false, query: try Query(json(#"{"recordType":"Note"}"#), limits: Limits()),
            continuationMarker: nil, limit: 200, strict: false, caller: .alice, limits: Limits())
        request.allowance = ResponseAllowance(limit: 20_000)
        request.show = { try Presentation(desiredKeys: ["n"]).apply(to: $0) }
        let page = try await temporary.store.queries.query(request)
        #expect(page.records.count == Self.count && page.continuationMarker == nil)
        #expect(page.records.allSatisfy { $0.size < 600 })
    }

    @Test("The ceiling limits one caller's answers, all callers' answers, and small answers by their own count")
    func ceiling() throws {
        let ceiling = ResponseCeiling(most: 3 << 20, mostPerCaller: 2 << 20)
        var held: [ResponseAllowance] = []
        func answer(_ caller: String, _ bytes: Int) throws -> ResponseAllowance {
            let allowance = ResponseAllowance(limit: 8 << 20, caller: caller, ceiling: ceiling)
            try allowance.take(bytes)
            return allowance
        }
        held.append(try answer("a", 2 << 20))
        #expect(code { _ = try answer("a", 1 << 20) } == .throttled)
        held.append(try answer("b", 1 << 20))
        #expect(code { _ = try answer("c", 1 << 20) } == .tryAgainLater)
        // With those of the large answers, as many as each bound lets be.
        for _ in 0..<31 { held.append(try answer("a", ResponseAllowance.small)) }
        #expect(code { _ = try answer("a", 1) } == .throttled)
        for (caller, count) in [("b", 7), ("e", 8)] {
            for _ in 0..<count { held.append(try answer(caller, ResponseAllowance.small)) }
        }
        #expect(code { _ = try answer("c", 1) } == .tryAgainLater)
        #expect(ceiling.total <= 6 << 20)
        held.removeAll()
        #expect(ceiling.total == 0)
        _ = try answer("c", 2 << 20)
        // What was written already is counted, and not refused.
        held.append(ResponseAllowance(limit: .max, caller: "d", ceiling: ceiling))
        held[0].count(9 << 20)
        #expect(ceiling.total == 9 << 20)
        // A write is not begun while its answer would be one more.
        let next = ResponseAllowance(limit: .max, caller: "d", ceiling: ceiling)
        #expect(code { try next.admit() } == .throttled)
        try ResponseAllowance(limit: .max, caller: "e", ceiling: ceiling).admit()
        held.removeAll()
        #expect(ceiling.total == 0)
    }

    @Test("Callers without held bytes are forgotten, and others are not")
    func forgotten() throws {
        let ceiling = ResponseCeiling(most: 64 << 20, mostPerCaller: 1 << 20)
        let held = ResponseAllowance(caller: "a", ceiling: ceiling)
        try held.take(1 << 20)
        for number in 0..<10_000 { try ResponseAllowance(caller: "passer-by \(number)", ceiling: ceiling).take(1) }
        #expect(ceiling.remembered < 2500)
        #expect(code { try ResponseAllowance(caller: "a", ceiling: ceiling).take(1 << 20) } == .throttled)
        withExtendedLifetime(held) {}
    }

    private func code(_ body: () throws -> Void) -> ServerError.Code? {
        do { try body() } catch { return (error as? ServerError)?.code }
        return nil
    }
}
