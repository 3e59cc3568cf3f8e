import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// The rules of deletion where several records go at once (reference A §13.2).
@Suite(.timeLimit(.minutes(5)))
struct CascadeTests {
    private func filled(_ operations: [String]) async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let result = try await temporary.store.modify(operations)
        #expect(result.errors.allSatisfy { $0 == nil })
        return temporary
    }

    private func hanging(
        _ name: String, on target: String, _ action: String = "DELETE_SELF", more: String = ""
    ) -> String {
        operation(.create, name, fields: #"{"s":{"value":"red"},"r":\#(reference(target, action))}"#, more: more)
    }

    /// Everything that is kept beside records, and what finds them.
    @Test("A cascade refused at its end leaves the whole tree unchanged", arguments: [true, false])
    func refusal(atomic: Bool) async throws {
        let temporary = try await filled(
            [operation(.create, "a", fields: #"{"s":{"value":"red"},"l":{"value":["x","y"]}}"#)]
                + (0..<130).map { hanging("b\($0)", on: $0 == 0 ? "a" : "b\($0 - 1)") }
                + [hanging("holder", on: "b129", "VALIDATE")])
        let store = temporary.store
        let before = try await store.changes(limit: 1_000)
        let usage = try await store.users.usage(owner: "_alice")
        let rows = try await [temporary.count("elements"), temporary.count("record_references")]
        let result = try await store.modify([operation(.forceDelete, "a"), operation(.create, "new")], atomic: atomic)
        #expect(result.error(0)?.code == .validatingReferenceError)
        #expect(result.error(0)?.reason.contains("'holder' refers to it") == true)
        #expect(result.error(1)?.code == (atomic ? .atomicError : nil))
        if !atomic { _ = try await store.modify([operation(.forceDelete, "new")]) }
        #expect(try await store.changes(since: before.token).names == (atomic ? [] : ["-new"]))
        #expect(try await store.users.usage(owner: "_alice") == usage)
        #expect(try await [temporary.count("elements"), temporary.count("record_references")] == rows)
        let found = try await store.query(
            #"{"recordType":"Note","filterBy":[{"fieldName":"s","comparator":"EQUALS","fieldValue":{"value":"red"}}]}"#)
        #expect(found.names.count == 132)
    }

    @Test("A child prevents the deletion of its parent, unless the cascade includes the child")
    func children() async throws {
        let temporary = try await filled([
            operation(.create, "a"), hanging("b", on: "a"), operation(.create, "child", more: parent("b")),
        ])
        let store = temporary.store
        let held = try await store.modify([operation(.forceDelete, "a")])
        #expect(held.error()?.code == .validatingReferenceError)
        for operations in [["a", "child"], ["child", "a"]] {
            let all = try await store.modify(operations.map { operation(.forceDelete, $0) }, atomic: true)
            #expect(all.outcomes.allSatisfy { $0.isDeleted })
            #expect(try await !store.exists("b"))
            let again = try await store.modify([
                operation(.create, "a"), hanging("b", on: "a"), operation(.create, "child", more: parent("b")),
            ])
            #expect(again.errors.allSatisfy { $0 == nil })
        }
    }

    @Test("Deleting an already cascaded record succeeds", arguments: [true, false])
    func deletedAlong(atomic: Bool) async throws {
        let temporary = try await filled([operation(.create, "a"), hanging("b", on: "a"), hanging("c", on: "b")])
        let tag = try await temporary.store.record("c")["recordChangeTag"]?.string
        let result = try await temporary.store.modify(
            [operation(.forceDelete, "a"), operation(.delete, "c", tag: tag), operation(.forceDelete, "b")],
            atomic: atomic)
        #expect(result.outcomes.allSatisfy { $0.isDeleted }, "\(result.errors)")
        #expect(try await temporary.store.users.usage(owner: "_alice") == Usage())
    }

    /// What hangs on records that a request deletes is read before its first operation.
    @Test("A cascade includes records created earlier in the same request", arguments: [true, false])
    func madeBefore(atomic: Bool) async throws {
        let temporary = try await filled([operation(.create, "a"), operation(.create, "b"), hanging("old", on: "b")])
        let store = temporary.store
        let result = try await store.modify(
            [
                operation(.forceDelete, "a"), hanging("new", on: "b"),
                operation(.forceUpdate, "old", fields: #"{"r":null}"#), operation(.forceDelete, "b"),
            ], atomic: atomic)
        #expect(result.errors.allSatisfy { $0 == nil })
        #expect(result.outcomes[1].isDeleted)
        #expect(try await store.exists("old"))
        #expect(try await !store.exists("new"))
    }

    @Test("A cascaded name can be created again in the same request", arguments: [true, false])
    func madeAgain(atomic: Bool) async throws {
        let temporary = try await filled([
            operation(.create, "a"), hanging("b", on: "a"), hanging("c", on: "b"), operation(.create, "d"),
        ])
        let store = temporary.store
        let result = try await store.modify(
            [
                operation(.forceDelete, "a"), operation(.create, "b", fields: #"{"s":{"value":"again"}}"#),
                operation(.forceDelete, "d"),
            ], atomic: atomic)
        #expect(result.errors.allSatisfy { $0 == nil })
        #expect(try await store.record("b").field("s") == .string("again"))
        #expect(try await !store.exists("c"))
        #expect(try await store.users.usage(owner: "_alice").records == 1)
    }

    /// Deleting the root of a share ends the share, takes its record along, and members lose all of it.
    @Test("Shares end when their roots are cascaded", arguments: [1, 100])
    func shares(below count: Int) async throws {
        let temporary = try await filled([operation(.create, "a"), hanging("root", on: "a")])
        let store = temporary.store
        let guid = try await store.share("root", with: ["_bob"])
        try await store.accept(guid, as: "_bob")
        let operations = (0..<count).map { hanging("b\($0)", on: "root", more: parent("root")) }
        #expect(try await store.modify(operations).errors.allSatisfy { $0 == nil })
        #expect(try await store.sees("_bob", "b0"))
        let token = try await store.changes(limit: 1_000).token
        let result = try await store.modify([operation(.forceDelete, "a")], atomic: true)
        #expect(result.error() == nil)
        let gone = ["-a", "-root", "-share-root"] + (0..<count).map { "-b\($0)" }
        #expect(try await Set(store.changes(since: token, limit: 1_000).names) == Set(gone))
        await #expect(throws: ServerError.self) { try await store.sees("_bob", "b0") }
        #expect(try await store.zones.list(sharedWith: "_bob").isEmpty)
        #expect(try await store.users.usage(owner: "_alice") == Usage())
        for table in ["shares", "members", "departures"] { #expect(try await temporary.count(table) == 0) }
    }

    @Test("Dependents of a share record are deleted with the share") func shareRecord() async throws {
        let temporary = try await filled([operation(.create, "root")])
        let store = temporary.store
        try await store.share("root")
        #expect(try await store.modify([hanging("b", on: "share-root")]).error() == nil)
        #expect(try await store.modify([operation(.forceDelete, "root")], atomic: true).error() == nil)
        #expect(try await !store.exists("b"))
        #expect(try await store.users.usage(owner: "_alice") == Usage())
    }

    @Test("A member's cascade deletes no record outside their share, at any depth") func outOfReach() async throws {
        let temporary = try await filled([operation(.create, "root")])
        let store = temporary.store
        let guid = try await store.share("root", with: ["_bob"])
        try await store.accept(guid, as: "_bob")
        let operations = [
            operation(.create, "b", more: parent("root")), hanging("c", on: "b", more: parent("root")),
            hanging("hidden", on: "c"),
        ]
        #expect(try await store.modify(operations).errors.allSatisfy { $0 == nil })
        let refused = try await store.modify([operation(.forceDelete, "b")], caller: .bob)
        #expect(refused.error()?.code == .accessDenied)
        for name in ["b", "c", "hidden"] { #expect(try await store.exists(name)) }
        _ = try await store.modify([operation(.forceDelete, "hidden")])
        #expect(try await store.modify([operation(.forceDelete, "b")], caller: .bob).error() == nil)
    }

    /// In the public database, which has no feed, nothing stays of a record.
    @Test("A user's own record is never deleted by a cascade") func userRecords() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.users.ensure("_alice")
        _ = try await store.modify([operation(.create, "a"), hanging("b", on: "a")], zone: .world)
        let own = operation(.forceUpdate, "_alice", type: "Users", fields: #"{"r":\#(reference("a", "DELETE_SELF"))}"#)
        #expect(try await store.modify([own, hanging("c", on: "_alice")], zone: .world).errors == [nil, nil])
        #expect(try await store.modify([operation(.forceDelete, "a")], zone: .world).error() == nil)
        #expect(try await store.exists("_alice", zone: .world))
        #expect(try await store.exists("c", zone: .world))
        #expect(try await !store.exists("b", zone: .world))
        #expect(try await temporary.count("records") == 2)
    }

    @Test("A cascade removes the locations, words, list elements and references of its records")
    func besides() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        try await store.schema.apply(
            "RECORD TYPE Note (s STRING SEARCHABLE, p LOCATION QUERYABLE, l LIST<STRING>, r REFERENCE);")
        let fields = #""s":{"value":"red fox"},"p":{"value":{"latitude":1,"longitude":2}},"l":{"value":["x"]}"#
        _ = try await store.modify(
            [operation(.create, "n0", fields: "{\(fields)}")]
                + (1..<70).map {
                    operation(.create, "n\($0)", fields: "{\(fields),\"r\":\(reference("n\($0 - 1)", "DELETE_SELF"))}")
                })
        #expect(try await temporary.count("locations") == 70)
        _ = try await store.modify([operation(.forceDelete, "n0")])
        for table in ["locations", "elements", "record_references"] { #expect(try await temporary.count(table) == 0) }
        #expect(try await temporary.tokens() == [])
        #expect(try await store.users.usage(owner: "_alice") == Usage())
    }
}
