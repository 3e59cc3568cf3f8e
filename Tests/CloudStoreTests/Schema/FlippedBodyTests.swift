import CloudEngine
import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// A record whose stored bytes are no JSON is an error, and never copied into an answer.
struct FlippedBodyTests {
    private func filled() async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let saved = try await temporary.store.modify([
            operation(.create, "good", fields: #"{"a":{"value":"x"}}"#),
            operation(.create, "bad", fields: #"{"a":{"value":"x"}}"#),
        ])
        #expect(saved.error() == nil)
        return temporary
    }

    @Test(
        "Stored bytes that are not JSON are refused by every operation",
        arguments: [
            (#""value":"x""#, #""value":x""#), (#"{"recordName""#, #"["recordName""#), (#""fields":{"#, #""fields":["#),
            (#""value":"x""#, "\"value\":\"\u{7}\""), (#""value":"x""#, "\"value\":\"\u{1}\""),
            (#""value":"x""#, "\"value\":\"\u{2}\""),
        ])
    func flipped(old: String, new: String) async throws {
        let temporary = try await filled()
        let store = temporary.store
        try temporary.replace(old, by: new, inBodyOf: "bad")
        // One record of a lookup is its own error; the other is answered.
        let found = try await store.records.lookup(
            LookupRequest(zone: .notes, names: ["good", "bad"], caller: .alice))
        #expect((try? found[0].get()) != nil)
        let error = #expect(throws: ServerError.self) { try found[1].get() }
        #expect(error?.code == .internalError && error?.reason.contains("damaged") == true)
        await #expect(performing: { try await store.query(#"{"recordType":"Note"}"#) }, throws: Self.isDamage)
        await #expect(performing: { try await store.changes() }, throws: Self.isDamage)
        #expect(store.stored.file.fault?.kind == .damaged)
        let changed = try await store.modify([operation(.forceUpdate, "bad", fields: #"{"b":{"value":"y"}}"#)])
        #expect(changed.error()?.reason.contains("damaged") == true)
        #expect(try await store.record("good").field("a") == .string("x"))
        try await store.close()
    }

    private static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? ServerError else { return false }
        return error.code == .tryAgainLater && error.reason.contains("damaged")
    }
}
