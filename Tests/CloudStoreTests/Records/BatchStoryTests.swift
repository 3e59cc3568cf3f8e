import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Batches whose operations touch each other: their responses tell one story, in the order of the operations.
struct BatchStoryTests {
    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: [String]
        let batch: [String]
        /// `saved`, `deleted` or an error's code.
        let answers: [String]
        let left: Set<String>
    }

    private static func note(
        _ type: OperationType, _ name: String, _ action: String = "", _ targets: String..., above: String? = nil
    ) -> String {
        let values = targets.map { #"{"recordName":"\#($0)","action":"\#(action)"}"# }.joined(separator: ",")
        return operation(
            type, name,
            fields: targets.isEmpty ? #"{"a":{"value":1}}"# : #"{"r":{"value":[\#(values)],"type":"REFERENCE_LIST"}}"#,
            more: above.map { parent($0) } ?? "")
    }

    private static let broken = "VALIDATING_REFERENCE_ERROR"

    static let stories = [
        Story(
            testDescription: "a reference to what was deleted before it",
            before: [note(.create, "t")],
            batch: [note(.forceDelete, "t"), note(.create, "h", "VALIDATE", "t")],
            answers: ["deleted", broken], left: []),
        Story(
            testDescription: "a deletion of what was referred to before it",
            before: [note(.create, "t")],
            batch: [note(.create, "h", "VALIDATE", "t"), note(.forceDelete, "t")],
            answers: ["saved", broken], left: ["h", "t"]),
        Story(
            testDescription: "a leaf that is saved, and goes with its root",
            before: [note(.create, "root"), note(.create, "leaf", "DELETE_SELF", "root")],
            batch: [note(.forceUpdate, "leaf"), note(.forceDelete, "root")],
            answers: ["deleted", "deleted"], left: []),
        Story(
            testDescription: "a new leaf that goes with its root",
            before: [note(.create, "root")],
            batch: [note(.create, "leaf", "DELETE_SELF", "root"), note(.forceDelete, "root")],
            answers: ["deleted", "deleted"], left: []),
        Story(
            testDescription: "a leaf that lets go before its root is deleted",
            before: [note(.create, "root"), note(.create, "leaf", "DELETE_SELF", "root")],
            batch: [note(.forceReplace, "leaf"), note(.forceDelete, "root")],
            answers: ["saved", "deleted"], left: ["leaf"]),
        Story(
            testDescription: "a leaf that is made again after its root was deleted",
            before: [note(.create, "root"), note(.create, "leaf", "DELETE_SELF", "root")],
            batch: [note(.forceDelete, "root"), note(.forceUpdate, "leaf")],
            answers: ["deleted", "saved"], left: ["leaf"]),
        Story(
            testDescription: "a held leaf that is made again",
            before: [
                note(.create, "root"), note(.create, "leaf", "DELETE_SELF", "root"),
                note(.create, "h", "VALIDATE", "leaf"),
            ],
            batch: [note(.forceDelete, "root"), note(.create, "leaf")],
            answers: ["deleted", "saved"], left: ["leaf", "h"]),
        Story(
            testDescription: "an old reference that its record keeps",
            before: [note(.create, "t"), note(.create, "h", "VALIDATE", "t")],
            batch: [note(.forceDelete, "t"), note(.forceUpdate, "h")],
            answers: [broken, "saved"], left: ["h", "t"]),
        Story(
            testDescription: "an old reference that its record lets go",
            before: [note(.create, "t"), note(.create, "h", "VALIDATE", "t")],
            batch: [note(.forceDelete, "t"), note(.forceReplace, "h")],
            answers: ["deleted", "saved"], left: ["h"]),
        Story(
            testDescription: "a new reference to what an old one holds",
            before: [note(.create, "t"), note(.create, "old", "VALIDATE", "t")],
            batch: [note(.forceDelete, "t"), note(.create, "new", "VALIDATE", "t")],
            answers: [broken, "saved"], left: ["t", "old", "new"]),
        Story(
            testDescription: "a holder that falls for another reason",
            before: [note(.create, "t")],
            batch: [note(.create, "h", "VALIDATE", "t", "missing"), note(.forceDelete, "t")],
            answers: [broken, "deleted"], left: []),
        Story(
            testDescription: "a child of a parent that was deleted before it",
            before: [note(.create, "p")],
            batch: [note(.forceDelete, "p"), note(.create, "c", above: "p")],
            answers: ["deleted", broken], left: []),
        Story(
            testDescription: "a parent deleted after its child came",
            before: [note(.create, "p")],
            batch: [note(.create, "c", above: "p"), note(.forceDelete, "p")],
            answers: ["saved", broken], left: ["p", "c"]),
        Story(
            testDescription: "deletions that hang on one that is refused",
            before: [
                note(.create, "s1"), note(.create, "s0", "VALIDATE", "s1"), note(.create, "h", "VALIDATE", "s0"),
            ],
            batch: [note(.forceDelete, "s0"), note(.forceDelete, "s1")],
            answers: [broken, broken], left: ["s0", "s1", "h"]),
        Story(
            testDescription: "references that hang on one that is refused",
            before: [],
            batch: [
                note(.create, "c", "VALIDATE", "b"), note(.create, "b", "VALIDATE", "a"), note(.create, "d"),
                note(.create, "e", above: "b"),
            ],
            answers: [broken, broken, "saved", broken], left: ["d"]),
        Story(
            testDescription: "a deletion that needs a refused change",
            before: [note(.create, "t"), note(.create, "h", "VALIDATE", "t")],
            batch: [note(.forceReplace, "h", "VALIDATE", "missing"), note(.forceDelete, "t")],
            answers: [broken, broken], left: ["h", "t"]),
        Story(
            testDescription: "a leaf deleted by itself after its root",
            before: [note(.create, "root"), note(.create, "leaf", "DELETE_SELF", "root")],
            batch: [note(.forceDelete, "root"), note(.forceDelete, "leaf")],
            answers: ["deleted", "deleted"], left: []),
        Story(
            testDescription: "a refused operation of a type and a field that nobody else has",
            before: [],
            batch: [
                operation(
                    .create, "x", type: "Fresh", fields: #"{"f":{"value":"text"}}"#,
                    more: #""parent":{"recordName":"x"}"#),
                operation(.create, "y", type: "Fresh", fields: #"{"f":{"value":1}}"#),
            ],
            answers: ["BAD_REQUEST", "saved"], left: ["y"]),
    ]

    @Test("Each answer agrees with the final state", arguments: stories)
    func agreement(story: Story) async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        #expect(try await store.modify(story.before).errors.allSatisfy { $0 == nil })
        let result = try await store.modify(story.batch)
        #expect(result.outcomes.map(\.kind) == story.answers, "\(result.errors.map { $0?.reason })")
        #expect(Set(try await store.changes().names.filter { !$0.hasPrefix("-") }) == story.left)
        for error in result.errors { if let error { try await reasonHolds(error.reason, store) } }
    }

    @Test("In an atomic batch one refused operation refuses all", arguments: stories)
    func atomicRefusal(story: Story) async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        #expect(try await store.modify(story.before).errors.allSatisfy { $0 == nil })
        let before = try await store.changes()
        let result = try await store.modify(story.batch, atomic: true)
        #expect(result.isAtomicFailure == story.answers.contains { $0 != "saved" && $0 != "deleted" })
        guard result.isAtomicFailure else {
            #expect(result.outcomes.map(\.kind) == story.answers)
            return
        }
        #expect(result.outcomes.allSatisfy { $0.error != nil })
        #expect(result.outcomes.contains { $0.kind != "ATOMIC_ERROR" })
        #expect(try await store.changes().token == before.token)
    }

    /// Checks that a refusal's reason is true of other records once the batch is done.
    private func reasonHolds(_ reason: String, _ store: EnvironmentStore) async throws {
        if let match = reason.firstMatch(of: /points to '(.+)', which/) {
            #expect(try await !store.exists(String(match.1)), "\(reason)")
        }
        if let match = reason.firstMatch(of: /'(.+)' cannot be deleted while '(.+)' refers/) {
            #expect(try await store.exists(String(match.1)), "\(reason)")
            #expect(try await store.exists(String(match.2)), "\(reason)")
        }
    }

    // MARK: Any batch

    /// A follower of the feed, who holds each record's tag.
    private struct Follower {
        var token: String?
        var tags: [String: String] = [:]

        mutating func follow(_ store: EnvironmentStore) async throws {
            let page = try await store.changes.changes(
                ZoneChangesRequest(
                    zone: .notes, caller: .alice, syncToken: token, limit: 200, recordTypes: nil, reverse: false))
            #expect(!page.moreComing)
            token = page.syncToken
            for body in page.records {
                let record = try body.json()
                let name = try #require(record["recordName"]?.string)
                tags[name] = record["deleted"]?.bool == true ? nil : record["recordChangeTag"]?.string
            }
        }
    }

    private static let names = (0..<10).map { "r\($0)" }

    @Test("For any batch, answers, lookups and feed agree", arguments: 1...6)
    func anyBatch(seed: UInt64) async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        var generator = SeededGenerator(seed: seed)
        var follower = Follower()
        for step in 0..<60 {
            let names = Self.names.shuffled(using: &generator).prefix(Int.random(in: 1...8, using: &generator))
            let batch = names.map { Self.anything($0, &generator) }
            let atomic = Int.random(in: 0..<4, using: &generator) == 0
            let before = follower.tags
            let result = try await store.modify(batch, atomic: atomic)
            try await follower.follow(store)
            let place = "seed \(seed), step \(step): \(batch) \(result.outcomes.map(\.kind))"
            #expect(try await Self.tags(store) == follower.tags, "\(place)")
            for (name, outcome) in zip(names, result.outcomes) {
                switch outcome {
                case .saved: #expect(follower.tags[name] == outcome.saved?["recordChangeTag"]?.string, "\(place)")
                case .deleted: #expect(follower.tags[name] == nil, "\(place)")
                case .failed(_, let error):
                    // Another operation may have deleted the record; the failed one wrote nothing.
                    #expect(follower.tags[name] == nil || follower.tags[name] == before[name], "\(place)")
                    if error.code == .validatingReferenceError && !atomic {
                        try await reasonHolds(error.reason, store)
                    }
                }
            }
            if atomic && result.isAtomicFailure { #expect(follower.tags == before, "\(place)") }
            try await everyReferenceHolds(store, place)
        }
    }

    private static func anything(_ name: String, _ generator: inout SeededGenerator) -> String {
        let type = [OperationType.create, .forceUpdate, .forceReplace, .forceDelete].randomElement(using: &generator)!
        let action = ["VALIDATE", "VALIDATE", "DELETE_SELF", "NONE"].randomElement(using: &generator)!
        let target = names.randomElement(using: &generator)!
        let above = Int.random(in: 0..<4, using: &generator) == 0 ? names.randomElement(using: &generator) : nil
        return Bool.random(using: &generator)
            ? note(type, name, action, target, above: above == name ? nil : above)
            : note(type, name, above: above == name ? nil : above)
    }

    private static func tags(_ store: EnvironmentStore) async throws -> [String: String] {
        let found = try await store.records.lookup(LookupRequest(zone: .notes, names: names, caller: .alice))
        var tags: [String: String] = [:]
        for (name, result) in zip(names, found) {
            guard let body = try? result.get() else { continue }
            tags[name] = try body.json()["recordChangeTag"]?.string
        }
        return tags
    }

    private func everyReferenceHolds(_ store: EnvironmentStore, _ place: String) async throws {
        let found = try await store.records.lookup(LookupRequest(zone: .notes, names: Self.names, caller: .alice))
        let records = try found.compactMap { try? $0.get() }.map { try $0.json() }
        let live = Set(records.compactMap { $0["recordName"]?.string })
        for record in records {
            let references = record.field("r")?.array ?? []
            for reference in references where reference.object?["action"]?.string == "VALIDATE" {
                #expect(live.contains(reference.object?["recordName"]?.string ?? ""), "\(place)")
            }
            if let parent = record["parent"]?.object?["recordName"]?.string {
                #expect(live.contains(parent), "\(place)")
            }
        }
    }
}

extension OperationOutcome {
    /// `saved`, `deleted` or the error's code.
    fileprivate var kind: String {
        switch self {
        case .saved: "saved"
        case .deleted: "deleted"
        case .failed(_, let error): error.code.rawValue
        }
    }
}
