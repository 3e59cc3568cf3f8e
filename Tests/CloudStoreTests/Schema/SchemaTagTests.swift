import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// A change is made to the schema that it was planned for.
struct SchemaTagTests {
    @Test("A schema's tag changes with its text") func textChange() throws {
        let (one, other) = (try definition("RECORD TYPE A (a STRING);"), try definition("RECORD TYPE A (a INT64);"))
        #expect(one.tag == (try definition("record type A(a string)//\n;")).tag)
        #expect(one.tag != other.tag && one.tag.count == 32)
    }

    @Test("An import with an older tag changes nothing after a save has created a field")
    func newField() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let tag = try await store.schema.current().tag
        #expect(try await store.schema.apply("", dryRun: true) == [])
        _ = try await store.modify([operation(.create, "r", fields: #"{"a":{"value":"x"}}"#)])
        let catalog = store.records.catalog
        for dryRun in [true, false] {
            let refused = await #expect(throws: ServerError.self) {
                try await store.schema.apply(definition(""), production: nil, dryRun: dryRun, ifTag: tag) { _ in }
            }
            #expect(refused?.code == .conflict)
            await #expect(throws: ServerError.self) {
                try await store.schema.reset(to: definition(""), dryRun: dryRun, ifTag: tag)
            }
        }
        #expect(store.records.catalog == catalog)
        #expect(try await store.record("r").field("a") == .string("x"))
        let now = try await store.schema.current().tag
        #expect(
            try await store.schema.apply(definition(""), production: nil, dryRun: false, ifTag: now) { _ in } == [
                .removeType("Note")
            ])
    }

    /// A build that begins or ends changes nothing that anybody was asked about.
    @Test("An index build leaves the schema's tag unchanged") func build() async throws {
        let (temporary, gate) = try await TemporaryStore.gated()
        let store = temporary.store
        _ = try await store.modify((0..<5).map { operation(.create, "r\($0)", fields: #"{"a":{"value":"x"}}"#) })
        _ = try await store.modify([operation(.create, "s", fields: #"{"b":{"value":"x"}}"#)])
        _ = try await store.query(#"{"recordType":"Note","sortBy":{"fieldName":"b"}}"#)
        let (tag, version) = (try await store.schema.current().tag, store.records.catalog.version)
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await store.schema.current().tag == tag)
        #expect(store.records.catalog.version > version)
        try await store.close()
    }
}
