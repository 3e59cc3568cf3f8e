import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// U+0000 in a name that is asked for: no name in the store has it, and the texts of PostgreSQL cannot.
@Suite(.timeLimit(.minutes(5)))
struct NullCharacterTests {
    private static let name = "a\u{0}b"

    private func filled() async throws -> EnvironmentStore {
        let store = try TemporaryStore().store
        try await store.makeZone()
        #expect(try await store.modify([operation(.create, "a")]).error() == nil)
        return store
    }

    @Test("A lookup of a record name with U+0000 finds nothing, and other names are found", arguments: [1, 20])
    func records(count: Int) async throws {
        let store = try await filled()
        let names = [Self.name] + (1..<count).map { _ in "a" }
        let found = try await store.records.lookup(LookupRequest(zone: .notes, names: names, caller: .alice))
        #expect(found.map { (try? $0.get()) != nil } == [false] + (1..<count).map { _ in true })
        #expect(throws: ServerError.self) { try found[0].get() }
    }

    /// Reads that wait together are made by one statement.
    @Test("A name with U+0000 fails no lookup that waits beside it") func beside() async throws {
        let store = try await filled()
        let (first, second) = (try await store.stored.reads.hold(nil), try await store.stored.reads.hold(nil))
        async let odd = store.exists(Self.name)
        let zone = Task { try await store.exists("a", zone: ZoneID(name: Self.name, owner: "_alice")) }
        async let plain = store.exists("a")
        while store.stored.reads.waiting < 3 { await Task.yield() }
        store.stored.reads.release(first, nil)
        store.stored.reads.release(second, nil)
        #expect(try await !odd)
        #expect(try await plain)
        await #expect(throws: ServerError.self) { try await zone.value }
    }

    @Test("A lookup of a zone name with U+0000 finds nothing, and other zones are found") func zones() async throws {
        let store = try await filled()
        let odd = [ZoneID(name: Self.name, owner: "_alice"), ZoneID(name: "Notes", owner: "\u{0}")]
        for caller in [Caller.alice, .bob] {
            let found = try await store.zones.list(odd + [.notes], for: caller)
            #expect(found.map { $0 != nil } == [false, false, caller.userRecordName == "_alice"])
        }
        let results = try await store.zones.modify(
            [.create(odd[0]), .delete(odd[0]), .create(ZoneID(name: "New", owner: "_alice"))],
            by: Requester(user: "_alice"), limits: Limits())
        let codes = results.map { result -> ServerError.Code? in
            if case .failure(let error) = result { error.code } else { nil }
        }
        #expect(codes == [.badRequest, .zoneNotFound, nil])
    }

    @Test("A lookup of a subscription id with U+0000 finds nothing, and other ids are found")
    func subscriptions() async throws {
        let store = try await filled()
        try await store.subscribe("s", zoneSubscription())
        let found = try await store.subscriptions.find([Self.name, "s"], of: "_alice", in: .private)
        #expect(found.map { $0 != nil } == [false, true])
        try await store.unsubscribe(Self.name)
        #expect(try await store.subscriptionNames() == ["s"])
    }

    @Test("A share handle with U+0000 finds no share") func handles() async throws {
        let store = try await filled()
        let error = await #expect(throws: ServerError.self) {
            try await store.shares.resolve(Self.name, as: Person(userRecordName: "_bob"))
        }
        #expect(error?.code == .notFound)
        #expect(try await !store.sharePages.isStopped(Self.name))
    }

    @Test(
        "A query for a name with U+0000 is refused with a reason",
        arguments: ["recordName", "createdUserRecordName", "modifiedUserRecordName"], [true, false])
    func queries(field: String, isReference: Bool) async throws {
        let store = try await filled()
        let operand = isReference ? #"{"recordName":"a\u0000"}"# : #""a\u0000""#
        let query =
            #"{"recordType":"Note","filterBy":[{"systemFieldName":"\#(field)","comparator":"EQUALS","fieldValue":{"value":\#(operand)}}]}"#
        let error = await #expect(throws: ServerError.self) { _ = try await store.query(query) }
        #expect(error?.code == .badRequest)
        #expect(error?.reason.contains("U+0000") == true)
    }

    @Test("A key-value key with U+0000 is refused with a reason") func keys() throws {
        for body in [#"{"set":{"a\u0000":1}}"#, #"{"remove":["a\u0000"]}"#] {
            let object = try #require(try json(body).object)
            let error = #expect(throws: ServerError.self) { try KeyValueEdit.edits(in: object, limits: Limits()) }
            #expect(error?.reason.contains("U+0000") == true)
        }
    }
}
