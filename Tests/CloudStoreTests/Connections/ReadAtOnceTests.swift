import CloudModel
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Reads on the caller's thread: the same answers, and none where a read would take long.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "PostgreSQL never answers at once"), .timeLimit(.minutes(5)))
struct ReadAtOnceTests {
    private func filled(_ count: Int, characters: Int) async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let text = String(repeating: "x", count: characters)
        for number in 0..<count {
            let fields = #"{"t":{"value":"\#(text)"},"n":{"value":\#(number)}}"#
            _ = try await temporary.store.modify([operation(.create, "r\(number)", fields: fields)])
        }
        return temporary
    }

    private func lookup(_ names: [String], _ allowance: ResponseAllowance = ResponseAllowance()) -> LookupRequest {
        LookupRequest(zone: .notes, names: names, caller: .alice, allowance: allowance)
    }

    private func query(_ text: String) throws -> QueryRequest {
        QueryRequest(
            zone: .notes, zoneWide: false, query: try Query(json(text), limits: Limits()), continuationMarker: nil,
            limit: 200, strict: false, caller: .alice, limits: Limits())
    }

    @Test("A lookup answered without a task equals one in a task")
    func small() async throws {
        let temporary = try await filled(3, characters: 10)
        let read = temporary.store.records.read(lookup(["r0", "absent", "r2"]))
        let atOnce = try #require(try read.atOnce(nil))
        let waited = try await read.answer()
        #expect(atOnce.map { try? $0.get().bytes } == waited.map { try? $0.get().bytes })
        #expect(atOnce.filter { (try? $0.get()) != nil }.count == 2)
    }

    @Test("A large read is left to a task, and is not counted before")
    func large() async throws {
        let temporary = try await filled(4, characters: 50_000)
        let allowance = ResponseAllowance()
        let read = temporary.store.records.read(lookup((0..<4).map { "r\($0)" }, allowance))
        #expect(try read.atOnce(nil) == nil)
        #expect(try await read.answer().count == 4)
        // What the answer may have is what it was.
        let limited = ResponseAllowance(limit: 60_000)
        let few = try #require(try temporary.store.records.read(lookup((0..<4).map { "r\($0)" }, limited)).atOnce(nil))
        #expect(few.filter { (try? $0.get()) != nil }.count == 2)
    }

    @Test("A query is answered without a task only once its index is built")
    func index() async throws {
        let temporary = try await filled(3, characters: 10)
        let read = temporary.store.queries.read(try query(#"{"recordType":"Note","sortBy":{"fieldName":"n"}}"#))
        let waited = try await read.answer()
        await temporary.store.stored.work.finished()
        let page = try #require(try read.atOnce(nil))
        #expect(page.records.map(\.bytes) == waited.records.map(\.bytes))
        #expect(page.records.count == 3)
    }

    @Test("With all connections in use no read is answered without a task")
    func busy() async throws {
        let temporary = try await filled(1, characters: 10)
        let reads = temporary.store.stored.reads
        var held: [Int] = []
        for _ in 0..<reads.connections { held.append(try await reads.hold(nil)) }
        #expect(try temporary.store.records.read(lookup(["r0"])).atOnce(nil) == nil)
        for connection in held { reads.release(connection, nil) }
        #expect(try temporary.store.records.read(lookup(["r0"])).atOnce(nil)?.count == 1)
    }

    @Test("A refusal without a task equals one in a task", arguments: ["nowhere"])
    func refused(zone: String) async throws {
        let temporary = try await filled(1, characters: 10)
        let request = LookupRequest(zone: ZoneID(name: zone, owner: "alice"), names: ["r0"], caller: .alice)
        let atOnce = #expect(throws: ServerError.self) { try temporary.store.records.read(request).atOnce(nil) }
        let waited = await #expect(throws: ServerError.self) {
            try await temporary.store.records.read(request).answer()
        }
        #expect(atOnce?.code == .zoneNotFound)
        #expect(atOnce?.reason == waited?.reason)
    }
}
