import CloudModel
import CloudSQL
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Records that hold others in a large cascade and stay keep them, whatever they hang on themselves.
@Suite(.timeLimit(.minutes(5)))
struct HeldCascadeTests {
    private typealias Large = LargeDeletions

    /// Records that hang on one, as many as make its cascade a large one.
    private func fillers(on target: String) -> [String] { (0..<30).map { Large.record("f\($0)", on: target) } }

    /// A record that hangs on one and holds another by VALIDATE.
    private func record(_ name: String, on target: String, holding held: String) -> String {
        operation(
            .create, name,
            fields: #"{"r":\#(reference(target, "DELETE_SELF")),"q":\#(reference(held, "VALIDATE"))}"#)
    }

    private func left(_ large: Large) async throws -> [String] {
        try await large.temporary.column("SELECT name FROM records WHERE record_type IS NOT NULL ORDER BY name")
    }

    private func finish(_ large: Large) async throws -> [String] {
        large.gate.openForGood()
        await large.store.stored.work.finished()
        return try await left(large)
    }

    @Test("The parent of a record written after the deletion stays") func editedChild() async throws {
        let large = try await Large()
        try await large.save(
            [Large.record("a"), Large.record("b", on: "a", more: parent("a"))]
                + [Large.record("c", on: "b", more: parent("b"))] + fillers(on: "a"))
        #expect(try await large.store.modify([operation(.forceDelete, "a")]).error() == nil)
        await large.gate.arrived()
        #expect(
            try await large.store.modify([operation(.forceUpdate, "c", fields: #"{"s":{"value":"kept"}}"#)]).error()
                == nil)
        #expect(try await finish(large) == ["b", "c"])
        try await large.store.close()
    }

    @Test("A referrer that depends on the deleted record through a kept record prevents the deletion")
    func heldBetween() async throws {
        let large = try await Large()
        try await large.save(
            [Large.record("a"), Large.record("b", on: "a"), record("h", on: "b", holding: "a")]
                + [Large.record("x", on: "b", "VALIDATE")] + fillers(on: "a"))
        let refused = try await large.store.modify([operation(.forceDelete, "a")])
        #expect(refused.error()?.code == .validatingReferenceError)
        #expect(refused.error()?.reason.contains("'h' refers to it") == true)
        #expect(try await large.temporary.count("cascades") == 0)
        _ = try await large.store.modify([operation(.forceDelete, "x")])
        #expect(try await large.store.modify([operation(.forceDelete, "a")]).error() == nil)
        #expect(try await finish(large) == [])
        try await large.store.close()
    }

    @Test("A referrer deep in a cascade keeps its target and their dependents") func heldBetweenLater() async throws {
        let large = try await Large()
        try await large.save(
            [Large.record("top"), Large.record("a", on: "top"), Large.record("b", on: "a")]
                + [record("h", on: "b", holding: "a"), Large.record("x", on: "b", "VALIDATE")] + fillers(on: "top"))
        #expect(try await large.store.modify([operation(.forceDelete, "top")]).error() == nil)
        #expect(try await finish(large) == ["a", "b", "h", "x"])
        try await large.store.close()
    }

    @Test("A child with a referrer prevents the deletion, as in a small cascade", arguments: [0, 30])
    func heldChild(more: Int) async throws {
        let large = try await Large()
        try await large.save(
            [Large.record("a"), Large.record("b", on: "a", more: parent("a"))]
                + [Large.record("c", on: "b", more: parent("b")), Large.record("x", on: "c", "VALIDATE")]
                + fillers(on: "a").prefix(more))
        let refused = try await large.store.modify([operation(.forceDelete, "a")])
        #expect(refused.error()?.code == .validatingReferenceError)
        #expect(try await left(large).count == 4 + more)
        try await large.store.close()
    }

    @Test("A user's own record that refers to and depends on a record prevents its deletion")
    func users() async throws {
        let large = try await Large()
        let store = large.store
        try await store.users.ensure("_alice")
        try await large.save([Large.record("a")] + fillers(on: "a"), zone: .world)
        let fields = #"{"r":\#(reference("a", "DELETE_SELF")),"q":\#(reference("a", "VALIDATE"))}"#
        #expect(
            try await store.modify([operation(.forceUpdate, "_alice", type: "Users", fields: fields)], zone: .world)
                .error() == nil)
        let refused = try await store.modify([operation(.forceDelete, "a")], zone: .world)
        #expect(refused.error()?.code == .validatingReferenceError)
        #expect(try await left(large).count == 32)
        try await store.close()
    }

    @Test("A detached circle of referrers prevents the deletion of its target")
    func circle() async throws {
        let large = try await Large()
        try await large.save(
            [Large.record("a"), Large.record("h"), Large.record("i", on: "h")] + fillers(on: "a"))
        _ = try await large.store.modify([
            operation(
                .forceUpdate, "h",
                fields: #"{"r":\#(reference("i", "DELETE_SELF")),"q":\#(reference("a", "VALIDATE"))}"#)
        ])
        #expect(
            try await large.store.modify([operation(.forceDelete, "a")]).error()?.code == .validatingReferenceError)
        try await large.store.close()
    }

    @Test("Referrers of several deletions in one request are judged together") func together() async throws {
        let large = try await Large()
        try await large.save(
            [Large.record("a"), Large.record("b"), record("h", on: "a", holding: "b"), Large.record("under", on: "b")]
                + fillers(on: "a"))
        let deletions = ["b", "a"].map { operation(.forceDelete, $0) }
        #expect(try await large.store.modify(deletions, atomic: true).outcomes.allSatisfy { $0.isDeleted })
        #expect(try await finish(large) == [])
        try await large.store.close()
    }

    // MARK: What the server does meanwhile

    @Test("Dropping the referring field during a cascade lets it delete the record") func droppedField() async throws {
        let large = try await Large()
        try await large.save([Large.record("a")] + fillers(on: "a") + [Large.record("deep", on: "f7")])
        #expect(try await large.store.modify([operation(.forceDelete, "a")]).error() == nil)
        await large.gate.arrived()
        try await large.store.schema.apply(Large.schema.replacing(" l LIST<STRING> QUERYABLE,", with: ""))
        #expect(try await finish(large) == [])
        #expect(try await large.store.schema.buildProgress().isEmpty)
        try await large.store.close()
    }

    @Test("An export during a cascade has none of its records, even after a field was dropped")
    func droppedFieldExport() async throws {
        let large = try await Large()
        try await large.save([Large.record("a"), Large.record("other")] + fillers(on: "a"))
        #expect(try await large.store.modify([operation(.forceDelete, "a")]).error() == nil)
        await large.gate.arrived()
        try await large.store.schema.apply(Large.schema.replacing(" l LIST<STRING> QUERYABLE,", with: ""))
        #expect(try large.namesInCopy() == ["other"])
        try await large.store.close()
    }

    @Test("A cascade that fails every time blocks no other work") func stuck() async throws {
        let large = try await Large()
        let store = large.store
        try await large.save([Large.record("a")] + fillers(on: "a"))
        try await large.save([Large.record("b")] + (0..<30).map { Large.record("g\($0)", on: "b") })
        try await store.share("f3", with: ["_bob"])
        try await large.temporary.execute("UPDATE shares SET state = \(ChosenEngine.bytes("x"))")
        for name in ["a", "b"] { #expect(try await store.modify([operation(.forceDelete, name)]).error() == nil) }
        await large.gate.arrived()
        var portions = 0
        while try await large.temporary.count("cascades") != 1, portions < 20 {
            portions += 1
            await large.gate.letOneThrough()
        }
        #expect(portions < 20)
        #expect(try await large.temporary.count("records WHERE record_type IS NOT NULL AND name LIKE 'g%'") == 0)
        #expect(try await store.exists("f3"))
        try await store.close()
    }

    // MARK: Shares

    /// A tree of large cascades below `r`, the root of a share, which hangs under the root `p` of another.
    private func nested(_ large: Large) async throws {
        let store = large.store
        try await large.save([Large.record("p"), Large.record("top"), Large.record("r", on: "top")])
        try await large.save((0..<30).map { Large.record("k\($0)", on: "r", more: parent("r")) })
        try await store.accept(store.share("p", with: ["_bob"]), as: "_bob")
        try await store.accept(store.share("r", with: ["_eve"]), as: "_eve")
        #expect(try await store.modify([operation(.forceUpdate, "r", more: parent("p"))]).error() == nil)
    }

    @Test("Dependents of a deleted shared root do not enter its parent's share", arguments: [true, false])
    func rejoining(isDeep: Bool) async throws {
        let large = try await Large()
        try await nested(large)
        let before = try await large.store.news("_bob")
        #expect(try await large.store.modify([operation(.forceDelete, isDeep ? "top" : "r")]).error() == nil)
        await large.gate.arrived()
        var heard: [String] = []
        while try await large.temporary.count("cascades") != 0 {
            heard += try await large.store.news("_bob", since: before.token).names
            await large.gate.letOneThrough()
        }
        #expect(try await finish(large) == (isDeep ? ["p", "share-p"] : ["p", "share-p", "top"]))
        heard += try await large.store.news("_bob", since: before.token).names
        #expect(heard.filter { !$0.hasPrefix("-") } == [])
        try await large.store.close()
    }

    @Test(
        "A shared root nested in a share can be deleted whole, but not unshared, without permission to read",
        arguments: [["r"], ["share-r", "r"], ["share-r"]])
    func refusal(names: [String]) async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        #expect(try await store.modify([operation(.create, "p"), operation(.create, "r")]).error() == nil)
        try await store.share("p", with: ["_bob"])
        try await store.share("r", with: ["_eve"])
        #expect(try await store.modify([operation(.forceUpdate, "r", more: parent("p"))]).error() == nil)
        let operations = try names.enumerated().map { index, name in
            try RecordOperation.parse(
                json(operation(.forceDelete, name, type: nil)), at: index, defaults: Presentation(), limits: Limits())
        }
        let result = try await store.records.modify(
            ModifyRequest(
                zone: .notes, operations: operations, atomic: true, caller: .alice, growsSchema: false,
                limits: Limits(),
                revealRefusal: ServerError(.accessDenied, "no", .input)))
        #expect(result.outcomes.allSatisfy(\.isDeleted) == names.contains("r"))
        #expect(try await store.exists("share-r") != names.contains("r"))
    }
}
