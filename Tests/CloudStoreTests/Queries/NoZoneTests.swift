import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Questions of people who have written nothing yet, and so have no zone.
@Suite(.timeLimit(.minutes(5)))
struct NoZoneTests {
    private static let filters = [
        "", #"{"systemFieldName":"recordName","comparator":"EQUALS","fieldValue":{"value":{"recordName":"a"}}}"#,
        #"{"systemFieldName":"recordName","comparator":"IN","fieldValue":{"value":[{"recordName":"a"},{"recordName":"b"}]}}"#,
        #"{"systemFieldName":"recordName","comparator":"GREATER_THAN","fieldValue":{"value":{"recordName":"a"}}}"#,
        #"{"fieldName":"s","comparator":"EQUALS","fieldValue":{"value":"x"}}"#,
        #"{"fieldName":"l","comparator":"LIST_CONTAINS","fieldValue":{"value":"x"}}"#,
        #"{"fieldName":"s","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"x"}}"#,
        #"{"fieldName":"p","comparator":"NEAR","fieldValue":{"value":{"latitude":1,"longitude":2}},"distance":10}"#,
    ]
    private static let sorts = [
        "", #"{"systemFieldName":"recordName"}"#, #"{"systemFieldName":"recordName","ascending":false}"#,
        #"{"fieldName":"s"}"#, #"{"fieldName":"___modTime"}"#,
        #"{"fieldName":"p","relativeLocation":{"value":{"latitude":1,"longitude":2}}}"#,
    ]

    @Test("A query before the first write finds nothing", arguments: filters, sorts)
    func emptyStore(filter: String, sort: String) async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let fields =
            #"{"s":{"value":"x"},"l":{"value":["x"]},"p":{"value":{"latitude":1,"longitude":2},"type":"LOCATION"}}"#
        #expect(try await store.modify([operation(.create, "a", fields: fields)]).error() == nil)
        let query = #"{"recordType":"Note","filterBy":[\#(filter)],"sortBy":[\#(sort)]}"#
        let bobs = ZoneID(name: ZoneID.defaultName, owner: "_bob")
        for zoneWide in [false, true] {
            let page = try await store.query(query, zone: bobs, zoneWide: zoneWide, caller: .bob)
            #expect(page.names.isEmpty && page.marker == nil)
        }
        let shared = try await store.queries.query(
            QueryRequest(
                zone: bobs, zoneWide: true, isShared: true, query: try Query(json(query), limits: Limits()),
                continuationMarker: nil, limit: 10, strict: false, caller: .bob, limits: Limits()))
        #expect(shared.records.isEmpty)
    }
}
