import CloudModel
import CloudStore
import TestStore
import Testing

/// References as operands, where records of several zones have some by the same name (reference A §5.3).
struct ReferenceQueryTests {
    private static let zones = ["ZA", "ZB"].map { ZoneID(name: $0, owner: "_alice") }

    /// In each zone a record x, one that points to it, and one that points to the other zone's.
    private func filled() async throws -> EnvironmentStore {
        let store = try TemporaryStore().store
        for (zone, other) in zip(Self.zones, Self.zones.reversed()) {
            try await store.makeZone(zone)
            let elsewhere = #"{"recordName":"x","zoneID":{"zoneName":"\#(other.name)"}}"#
            let result = try await store.modify(
                [
                    operation(.create, "x"),
                    operation(
                        .create, "h\(zone.name)",
                        fields:
                            #"{"r":\#(reference("x")),"l":{"value":[{"recordName":"x"},{"recordName":"y"}]}}"#),
                    operation(
                        .create, "f\(zone.name)",
                        fields: #"{"r":{"value":\#(elsewhere)},"l":{"value":[\#(elsewhere)]}}"#),
                ], zone: zone)
            #expect(result.errors.allSatisfy { $0 == nil })
        }
        return store
    }

    private static let inA = #"{"recordName":"x","zoneID":{"zoneName":"ZA"}}"#
    private static let bare = #"{"recordName":"x"}"#

    private static let questions: [(String, String, String, [String]?)] = [
        ("r", "EQUALS", inA, ["fZB", "hZA"]), ("r", "NOT_EQUALS", inA, ["fZA", "hZB"]),
        ("r", "EQUALS", bare, ["hZA", "hZB"]), ("r", "NOT_EQUALS", bare, ["fZA", "fZB"]),
        ("r", "IN", "[\(inA),\(bare)]", ["fZB", "hZA", "hZB"]), ("r", "NOT_IN", "[\(inA),\(bare)]", ["fZA"]),
        ("r", "LESS_THAN_OR_EQUALS", inA, ["fZB", "hZA", "hZB"]), ("r", "GREATER_THAN", inA, ["fZA"]),
        ("r", "LESS_THAN", inA, ["hZB"]), ("r", "GREATER_THAN_OR_EQUALS", inA, ["fZA", "fZB", "hZA"]),
        ("l", "LIST_CONTAINS", inA, ["fZB", "hZA"]), ("l", "NOT_LIST_CONTAINS", inA, ["fZA", "hZB"]),
        ("l", "LIST_CONTAINS_ALL", "[\(inA),\(bare)]", ["hZA"]),
        ("l", "LIST_CONTAINS_ALL", #"[\#(inA),"y"]"#, ["hZA"]),
        ("l", "NOT_LIST_CONTAINS_ALL", "[\(inA),\(bare)]", ["fZA", "fZB", "hZB"]),
        ("l", "LIST_CONTAINS_ANY", "[\(inA),\(bare)]", ["fZB", "hZA", "hZB"]),
        ("l", "NOT_LIST_CONTAINS_ANY", "[\(inA),\(bare)]", ["fZA"]), ("___recordID", "EQUALS", bare, ["x", "x"]),
        ("___recordID", "EQUALS", inA, ["x"]), ("___recordID", "NOT_EQUALS", inA, ["fZA", "fZB", "hZA", "hZB", "x"]),
        ("___createdBy", "EQUALS", #"{"recordName":"_alice","zoneID":{"zoneName":"_defaultZone"}}"#, nil),
    ]

    @Test("A reference operand matches in the zone that it names", arguments: questions)
    func namedZones(field: String, comparator: String, operand: String, names: [String]?) async throws {
        let store = try await filled()
        let text =
            #"{"recordType":"Note","filterBy":{"fieldName":"\#(field)","comparator":"\#(comparator)","fieldValue":{"value":\#(operand)}}}"#
        let expected = names ?? ["fZA", "fZB", "hZA", "hZB", "x", "x"]
        for thresholds in [QueryThresholds(), .low] {
            let found = try await store.query(text, zoneWide: true, thresholds: thresholds).names
            #expect(found.sorted() == expected)
            #expect(
                try await store.pages(text, zoneWide: true, limit: 1, thresholds: [thresholds]).flatMap(\.self) == found
            )
        }
        // Each zone by itself finds the same.
        var found: [String] = []
        for zone in Self.zones { found += try await store.query(text, zone: zone).names }
        #expect(found.sorted() == expected)
    }

    @Test("A reference operand may name a thousand zones") func manyZones() async throws {
        let store = try await filled()
        let operands = (0..<1_000).map { #"{"recordName":"x","zoneID":{"zoneName":"Z\#($0)"}}"# }
        let all = ([Self.inA] + operands.dropLast()).joined(separator: ",")
        for (field, comparator) in [("r", "IN"), ("l", "LIST_CONTAINS_ANY")] {
            let text =
                #"{"recordType":"Note","filterBy":{"fieldName":"\#(field)","comparator":"\#(comparator)","fieldValue":{"value":[\#(all)]}}}"#
            #expect(try await store.query(text, zoneWide: true).names.sorted() == ["fZB", "hZA"])
        }
    }
}
