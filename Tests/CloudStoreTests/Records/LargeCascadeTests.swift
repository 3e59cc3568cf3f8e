import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore

/// A cascade too large for one transaction goes in portions, between the writes of others.
@Suite(.timeLimit(.minutes(5)))
struct LargeCascadeTests {
    private typealias Large = LargeDeletions

    /// A record `a`, and a tree of records that hang on it.
    private func tree(_ count: Int) -> [String] {
        [Large.record("a")] + (0..<count).map { Large.record("b\($0)", on: $0 < 3 ? "a" : "b\(($0 - 3) / 3)") }
    }

    @Test("A large deletion removes the record at once and its dependents in batches, parents first")
    func portions() async throws {
        let large = try await Large()
        let store = large.store
        try await large.save(tree(150) + [Large.record("other")])
        let token = try await store.changes(limit: 1_000).token
        #expect(try await store.modify([operation(.forceDelete, "a")], atomic: true).outcomes[0].isDeleted)
        #expect(try await !store.exists("a"))
        #expect(try await store.exists("b149"))
        let counts = try await large.run("cascades", counting: Large.live)
        #expect(counts.first == 151 && counts.last == 1)
        for (before, after) in zip(counts, counts.dropFirst()) { #expect(before - after <= Large.portion) }
        let gone = try await store.changes(since: token, limit: 1_000).names
        #expect(gone == ["-a"] + (0..<150).map { "-b\($0)" })
        #expect(try await store.users.usage(owner: "_alice").records == 1)
        for table in ["record_references", "cascades"] { #expect(try await large.temporary.count(table) == 0) }
        #expect(try await large.temporary.count("elements") == 1)
        #expect(try await large.temporary.tokens().count == 2)
        try await store.close()
    }

    @Test("A chain is deleted level by level") func chain() async throws {
        let large = try await Large()
        try await large.save([Large.record("b0")] + (1..<60).map { Large.record("b\($0)", on: "b\($0 - 1)") })
        #expect(try await large.store.modify([operation(.forceDelete, "b0")]).error() == nil)
        #expect(try await large.run("cascades", counting: Large.live).last == 0)
        #expect(try await large.store.users.usage(owner: "_alice") == Usage())
        try await large.store.close()
    }

    @Test("A cascade within the limit is deleted at once") func small() async throws {
        let large = try await Large()
        try await large.save([Large.record("a")] + (0..<Large.most).map { Large.record("b\($0)", on: "a") })
        #expect(try await large.store.modify([operation(.forceDelete, "a")]).error() == nil)
        #expect(try await large.store.users.usage(owner: "_alice") == Usage())
        #expect(try await large.temporary.count("cascades") == 0)
        try await large.store.close()
    }

    @Test("A cascade interrupted by a stop continues at the next start") func interrupted() async throws {
        let large = try await Large()
        try await large.save(tree(100))
        let token = try await large.store.changes(limit: 1_000).token
        _ = try await large.store.modify([operation(.forceDelete, "a")])
        await large.gate.arrived()
        for _ in 0..<3 { await large.gate.letOneThrough() }
        try await large.store.close()
        let left = try await large.temporary.count(Large.live)
        #expect((1..<100).contains(left ?? 0), "\(left ?? 0)")
        let store = try large.temporary.open()
        await store.stored.work.finished()
        #expect(try await store.users.usage(owner: "_alice") == Usage())
        let gone = try await store.changes(since: token, limit: 1_000).names
        #expect(gone == ["-a"] + (0..<100).map { "-b\($0)" })
        try await store.close()
    }

    @Test("Several deletions in one request share the limit of immediate deletions") func manyDeletions() async throws {
        let large = try await Large()
        let names = (0..<10).map { "a\($0)" }
        try await large.save(
            names.flatMap { name in [Large.record(name)] + (0..<5).map { Large.record("\(name)-\($0)", on: name) } })
        let result = try await large.store.modify(names.map { operation(.forceDelete, $0) }, atomic: true)
        #expect(result.outcomes.allSatisfy { $0.isDeleted })
        #expect(try await large.temporary.count(Large.live) == 50)
        #expect(try await large.run("cascades", counting: Large.live).last == 0)
        try await large.store.close()
    }

    // MARK: Refusals

    @Test("A failed atomic batch leaves no part of a cascade") func atomic() async throws {
        let large = try await Large()
        let store = large.store
        try await large.save(tree(50))
        let token = try await store.changes(limit: 1_000).token
        let failed = try await store.modify([operation(.forceDelete, "a"), operation(.create, "b1")], atomic: true)
        #expect(failed.isAtomicFailure)
        #expect(try await large.temporary.count("cascades") == 0)
        #expect(try await store.changes(since: token).names == [])
        #expect(try await large.temporary.count(Large.live) == 51)
        try await store.close()
    }

    @Test("A reference from outside the cascade prevents the deletion", arguments: [true, false])
    func held(isParent: Bool) async throws {
        let large = try await Large()
        let store = large.store
        try await large.save(
            tree(50) + [
                isParent ? Large.record("holder", more: parent("a")) : Large.record("holder", on: "a", "VALIDATE")
            ])
        let refused = try await store.modify([operation(.forceDelete, "a"), operation(.create, "new")])
        #expect(refused.error(0)?.code == .validatingReferenceError)
        #expect(refused.error(0)?.reason.contains("'holder' refers to it") == true)
        #expect(refused.error(1) == nil)
        #expect(try await large.temporary.count("cascades") == 0)
        #expect(try await large.temporary.count(Large.live) == 53)
        try await store.close()
    }

    @Test("References from within the cascade prevent no deletion") func heldFromWithin() async throws {
        let large = try await Large()
        let fields = { (targets: String) in #"{"r":\#(reference("a", "DELETE_SELF")),"q":\#(targets)}"# }
        let both = (0..<30).map {
            operation(.create, "b\($0)", fields: fields(reference("a", "VALIDATE")), more: parent("a"))
        }
        // They hang on the record by way of another.
        let deeper = (0..<15).map { Large.record("c\($0)", on: "b\($0)", more: parent("a")) }
        // They hang on the record, and hold each other.
        let circle = (0..<10).map {
            operation(
                .create, "d\($0)", fields: fields(reference("d\(($0 + 1) % 10)", "VALIDATE")), more: parent("b\($0)"))
        }
        try await large.save([Large.record("a")] + both + deeper + circle)
        #expect(try await large.store.modify([operation(.forceDelete, "a")], atomic: true).error() == nil)
        #expect(try await large.run("cascades", counting: Large.live).last == 0)
        try await large.store.close()
    }

    @Test("A referred record deep in a cascade stays with its dependents") func heldDeep() async throws {
        let large = try await Large()
        try await large.save(
            tree(60) + [Large.record("under", on: "b40"), Large.record("holder", on: "b40", "VALIDATE")])
        #expect(try await large.store.modify([operation(.forceDelete, "a")]).error() == nil)
        _ = try await large.run("cascades", counting: Large.live)
        #expect(
            try await large.temporary.column("SELECT name FROM records WHERE record_type IS NOT NULL ORDER BY name")
                == ["b40", "holder", "under"])
        try await large.store.close()
    }

    // MARK: Others meanwhile

    @Test("A record written after the deletion stays") func writtenMeanwhile() async throws {
        let large = try await Large()
        let store = large.store
        try await large.save(tree(60))
        _ = try await store.modify([operation(.forceDelete, "a")])
        await large.gate.arrived()
        // The record again, with others that hang on it, and a record that the cascade has not come to.
        try await large.save([Large.record("a"), Large.record("new", on: "a")])
        #expect(
            try await store.modify([operation(.forceUpdate, "b50", fields: #"{"s":{"value":"kept"}}"#)]).error() == nil)
        large.gate.openForGood()
        await store.stored.work.finished()
        #expect(
            try await large.temporary.column("SELECT name FROM records WHERE record_type IS NOT NULL ORDER BY name")
                == ["a", "b50", "new"])
        try await store.close()
    }

    @Test("A zone can be deleted during a cascade") func zoneDeleted() async throws {
        let large = try await Large()
        try await large.save(tree(60))
        _ = try await large.store.modify([operation(.forceDelete, "a")])
        await large.gate.arrived()
        _ = try await large.store.zones.modify([.delete(.notes)], by: Requester(user: "_alice"), limits: Limits())[0]
            .get()
        large.gate.openForGood()
        await large.store.stored.work.finished()
        #expect(try await large.store.users.usage(owner: "_alice") == Usage())
        for table in Large.beside + ["records"] { #expect(try await large.temporary.count(table) == 0, "\(table)") }
        try await large.store.close()
    }

    @Test("A member's cascade stays within the share") func member() async throws {
        let large = try await Large()
        let store = large.store
        try await large.save([Large.record("root")])
        try await store.accept(store.share("root", with: ["_bob"]), as: "_bob")
        try await large.save(
            [Large.record("a", more: parent("root"))]
                + (0..<40).map { Large.record("b\($0)", on: "a", more: parent("root")) }
                + [Large.record("hidden", on: "b7"), Large.record("outside", on: "a")])
        #expect(try await store.modify([operation(.forceDelete, "a")], caller: .bob).error() == nil)
        #expect(try await large.run("cascades", counting: Large.live).last == 4)
        for name in ["hidden", "outside", "root"] { #expect(try await store.exists(name)) }
        #expect(try await store.news("_bob").names.filter { !$0.hasPrefix("-") }.sorted() == ["root", "share-root"])
        try await store.close()
    }

    @Test("Shares within the cascade end when it reaches their roots") func shares() async throws {
        let large = try await Large()
        let store = large.store
        try await large.save(tree(60))
        try await store.accept(store.share("b59", with: ["_bob"]), as: "_bob")
        #expect(try await store.modify([operation(.forceDelete, "a")]).error() == nil)
        large.gate.openForGood()
        await store.stored.work.finished()
        #expect(try await store.users.usage(owner: "_alice") == Usage())
        #expect(try await store.zones.list(sharedWith: "_bob").isEmpty)
        for table in ["shares", "members", "departures"] { #expect(try await large.temporary.count(table) == 0) }
        try await store.close()
    }

    @Test("A user's own record stays with its dependents") func users() async throws {
        let large = try await Large()
        let store = large.store
        try await store.users.ensure("_alice")
        try await large.save(tree(60), zone: .world)
        let own = operation(.forceUpdate, "_alice", type: "Users", fields: #"{"r":\#(reference("a", "DELETE_SELF"))}"#)
        #expect(try await store.modify([own], zone: .world).error() == nil)
        #expect(try await store.modify([operation(.forceDelete, "a")], zone: .world).error() == nil)
        large.gate.openForGood()
        await store.stored.work.finished()
        #expect(try await large.temporary.column("SELECT name FROM records") == ["_alice"])
        try await store.close()
    }

    @Test("Removing a type deletes all dependents of its records") func removedType() async throws {
        let large = try await Large()
        let store = large.store
        large.gate.openForGood()
        try await store.schema.apply(Large.schema + "RECORD TYPE Folder (s STRING);")
        await store.stored.work.finished()
        try await large.save(
            [operation(.create, "f", type: "Folder")]
                + (0..<60).map { Large.record("b\($0)", on: $0 < 30 ? "f" : "b\($0 - 30)") })
        try await store.schema.apply(Large.schema)
        await store.stored.work.finished()
        #expect(try await store.users.usage(owner: "_alice") == Usage())
        try await store.close()
    }

    @Test("An export during a cascade has none of its records") func exported() async throws {
        let large = try await Large()
        try await large.save(tree(60) + [Large.record("other")])
        _ = try await large.store.modify([operation(.forceDelete, "a")])
        await large.gate.arrived()
        #expect(try large.namesInCopy() == ["other"])
        try await large.store.close()
    }
}
