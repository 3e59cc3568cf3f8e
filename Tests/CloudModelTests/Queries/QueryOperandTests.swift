import CloudModel
import Testing

/// Operands of comparators, and their keys in the indexes (reference A §5.3, §3.3).
struct QueryOperandTests {
    private static let catalog = Catalog(
        version: 1,
        types: [
            RecordType(
                id: 2, name: "Note",
                fields: Dictionary(
                    uniqueKeysWithValues: [
                        ("s", FieldType(.string)), ("i", FieldType(.int64)), ("d", FieldType(.double)),
                        ("n", FieldType(.number)), ("r", FieldType(.reference)), ("p", FieldType(.location)),
                        ("ls", FieldType(.string, isList: true)),
                    ].enumerated().map { index, field in
                        let marks = Set(IndexKind.allCases)
                        return (
                            field.0, FieldDefinition(id: Int64(index), name: field.0, type: field.1, indexes: marks)
                        )
                    }))
        ])

    private func resolve(_ parts: String, zoneWide: Bool = false) throws -> ResolvedQuery {
        try ResolvedQuery(
            Query(json(#"{"recordType":"Note",\#(parts)}"#), limits: Limits()), catalog: Self.catalog, strict: false,
            zone: .notes, zoneWide: zoneWide, limits: Limits())
    }

    private func filter(_ field: String, _ comparator: String, _ value: String) -> String {
        #""filterBy":{"fieldName":"\#(field)","comparator":"\#(comparator)","fieldValue":\#(value)}"#
    }

    private static let taken: [(String, String, String, IndexKey)] = [
        ("s", "EQUALS", #"{"value":"x","type":"STRING"}"#, IndexKey.text("x")),
        ("i", "EQUALS", #"{"value":1,"type":"NUMBER_INT64"}"#, .integer(1)),
        ("i", "IN", #"{"value":[1],"type":"LIST"}"#, .integer(1)),
        ("i", "IN", #"{"value":[1],"type":"INT64_LIST"}"#, .integer(1)),
        ("i", "IN", #"{"value":[1],"type":"INT64"}"#, .integer(1)),
        ("d", "EQUALS", #"{"value":1,"type":"NUMBER_DOUBLE"}"#, .real(1)),
        ("d", "LESS_THAN", #"{"value":9007199254740993}"#, .integer(9_007_199_254_740_993)),
        ("d", "LESS_THAN", #"{"value":9007199254740992}"#, .real(9_007_199_254_740_992)),
        ("n", "EQUALS", #"{"value":1.5,"type":"DOUBLE"}"#, .real(1.5)),
        ("n", "EQUALS", #"{"value":1,"type":"INT64"}"#, .integer(1)),
        ("ls", "LIST_CONTAINS", #"{"value":"x","type":"STRING"}"#, .text("x")),
        ("ls", "LIST_CONTAINS", #"{"value":"x","type":"STRING_LIST"}"#, .text("x")),
        ("ls", "LIST_CONTAINS_ANY", #"{"value":["x"],"type":"UNKNOWN_LIST"}"#, .text("x")),
        ("r", "EQUALS", #"{"value":"x","type":"STRING"}"#, .text("x")),
        ("r", "EQUALS", #"{"value":{"recordName":"x","action":"DELETE_SELF"},"type":"REFERENCE"}"#, .text("x")),
        ("r", "EQUALS", #"{"recordName":"x","zoneID":{"zoneName":"Notes"}}"#, .text("x")),
        ("r", "EQUALS", #"{"recordName":"x","zoneID":{"zoneName":"Z"}}"#, .text("x\u{1}Z\u{1}_alice")),
        ("recordName", "EQUALS", #"{"value":"x","type":"STRING"}"#, .text("x")),
        ("recordName", "EQUALS", #"{"recordName":"x","zoneID":{"zoneName":"Z"}}"#, .text("x\u{1}Z\u{1}_alice")),
        ("___createdBy", "EQUALS", #"{"recordName":"_u","zoneID":{"zoneName":"_defaultZone"}}"#, .text("_u")),
    ]

    @Test("An operand of the field's type is accepted", arguments: taken)
    func accepted(field: String, comparator: String, value: String, key: IndexKey) throws {
        let resolved = try resolve(filter(field, comparator, value))
        #expect(resolved.filters.first?.keys == [key])
        #expect(resolved.filters.first?.homes == [])
    }

    private static let refused: [(String, String, String, String)] = [
        ("i", "EQUALS", #"{"value":1,"type":"TIMESTAMP"}"#, "INT64. Field 'i': the operand is sent as TIMESTAMP"),
        ("i", "EQUALS", #"{"value":1,"type":"DOUBLE"}"#, "INT64. Field 'i': the operand is sent as DOUBLE"),
        ("s", "EQUALS", #"{"value":"x","type":"REFERENCE"}"#, "STRING. Field 's': the operand is sent as REFERENCE"),
        (
            "s", "EQUALS", #"{"value":"x","type":"STRING_LIST"}"#,
            "STRING. Field 's': the operand is sent as STRING_LIST"
        ),
        ("s", "EQUALS", #"{"value":"x","type":"LIST"}"#, "STRING. Field 's': the operand is sent as LIST"),
        ("s", "IN", #"{"value":["x"],"type":"BYTES_LIST"}"#, "STRING. Field 's': the operand is sent as BYTES_LIST"),
        (
            "s", "EQUALS", #"{"value":"x","type":"ENCRYPTED_STRING"}"#,
            "STRING. Field 's': the operand is sent as ENCRYPTED_STRING"
        ),
        (
            "s", "CONTAINS_ALL_TOKENS", #"{"value":"x","type":"BYTES"}"#,
            "STRING. Field 's': the operand is sent as BYTES"
        ),
        ("ls", "LIST_CONTAINS", #"{"value":"x","type":"BYTES"}"#, "STRING. Field 'ls': the operand is sent as BYTES"),
        (
            "recordName", "EQUALS", #"{"value":"x","type":"BYTES"}"#,
            "REFERENCE. Field 'recordName': the operand is sent"
        ),
    ]

    @Test("An operand of another type is refused", arguments: refused)
    func otherTypes(field: String, comparator: String, value: String, reason: String) throws {
        let error = #expect(throws: ServerError.self) { try resolve(filter(field, comparator, value)) }
        #expect(error?.reason.hasPrefix("Invalid value, expected type \(reason)") == true, "\(error?.reason ?? "")")
    }

    @Test("Operands of unknown types are refused") func unknownTypes() {
        #expect(throws: ServerError.badRequest("query.filterBy[0].fieldValue.type 'BOGUS' is unknown")) {
            try resolve(filter("s", "EQUALS", #"{"value":"x","type":"BOGUS"}"#))
        }
        let sort =
            #""sortBy":{"fieldName":"p","relativeLocation":{"value":{"latitude":1,"longitude":1},"type":"STRING"}}"#
        #expect(
            throws: ServerError.badRequest(
                "Invalid value, expected type LOCATION. Field 'p': the operand is sent as STRING")
        ) {
            try resolve(sort)
        }
    }

    /// Over all zones a reference that names one reads otherwise there.
    @Test("In a query over all zones a reference operand also matches records of the operand's own zone")
    func referencesEverywhere() throws {
        let operands =
            #"["y",{"recordName":"x","zoneID":{"zoneName":"Notes"}},{"recordName":"x","zoneID":{"zoneName":"Z"}}]"#
        let resolved = try resolve(filter("r", "IN", #"{"value":\#(operands)}"#), zoneWide: true)
        let filter = try #require(resolved.filters.first)
        #expect(filter.keys == [.text("y"), .text("x\u{1}Notes\u{1}_alice"), .text("x\u{1}Z\u{1}_alice")])
        #expect(filter.homes.map(\.operand) == [1, 2])
        #expect(filter.homes.map(\.key) == [.text("x"), .text("x")])
        #expect(filter.homes.map(\.zone.name) == ["Notes", "Z"])
    }

    @Test("A search for more words than the limit is refused") func tooManyWords() {
        let words = (0..<80_000).map { "w\($0)" }.joined(separator: " ")
        let reason = "CONTAINS_ANY_TOKENS on field 's' has more than 1000 words, which is the most allowed"
        #expect(throws: ServerError.badRequest(Reason(known: reason))) {
            try resolve(filter("s", "CONTAINS_ANY_TOKENS", #"{"value":"\#(words)"}"#))
        }
    }

    @Test("A text over the limit is refused, whatever characters it has") func tooMuchText() {
        let text = String(repeating: "é", count: 600_000)
        let reason = "CONTAINS_ANY_TOKENS on field 's' has more than 1048576 bytes of text, which is the most allowed"
        #expect(throws: ServerError.badRequest(Reason(known: reason))) {
            try resolve(filter("s", "CONTAINS_ANY_TOKENS", #"{"value":"\#(text)"}"#))
        }
    }
}
