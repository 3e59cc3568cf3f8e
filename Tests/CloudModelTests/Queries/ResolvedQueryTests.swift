import CloudModel
import Testing

/// Queries read and held against a schema (reference A §5).
struct ResolvedQueryTests {
    private static let catalog = Catalog(
        version: 1,
        types: [
            RecordType(
                id: 2, name: "Note",
                fields: Dictionary(
                    uniqueKeysWithValues: [
                        ("title", FieldType(.string), Set(IndexKind.allCases)), ("plain", FieldType(.string), []),
                        ("sorted", FieldType(.int64), [.sortable]),
                        ("when", FieldType(.timestamp), [.queryable, .sortable]),
                        ("tags", FieldType(.string, isList: true), [.queryable]),
                        ("ref", FieldType(.reference), [.queryable]),
                        ("secret", FieldType(.string, isEncrypted: true), []), ("place", FieldType(.location), []),
                        ("real", FieldType(.double), [.queryable, .sortable]),
                        ("modifiedDate", FieldType(.int64), [.queryable, .sortable]),
                    ].enumerated().map { index, field in
                        (field.0, FieldDefinition(id: Int64(index), name: field.0, type: field.1, indexes: field.2))
                    })),
            RecordType(id: 3, name: "Marked", implicit: [.recordID: [.queryable]]),
        ])

    private func resolve(_ text: String, strict: Bool = false, limits: Limits = Limits()) throws -> ResolvedQuery {
        try ResolvedQuery(
            Query(json(text), limits: limits), catalog: Self.catalog, strict: strict, zone: .notes, limits: limits)
    }

    private func filter(_ field: String, _ comparator: String, _ value: String) -> String {
        #"{"recordType":"Note","filterBy":{\#(field),"comparator":"\#(comparator)","fieldValue":\#(value)}}"#
    }

    @Test(
        "Operands are translated into index keys",
        arguments: [
            (#""fieldName":"title""#, "EQUALS", #"{"value":"x"}"#, [IndexKey.text("x")]),
            (#""fieldName":"title""#, "IN", #"{"value":["x","y"],"type":"STRING_LIST"}"#, [.text("x"), .text("y")]),
            (#""fieldName":"when""#, "LESS_THAN", #"{"value":5,"type":"TIMESTAMP"}"#, [.integer(5)]),
            (#""fieldName":"real""#, "LESS_THAN", #"{"value":5}"#, [.real(5)]),
            (#""fieldName":"sorted""#, "EQUALS", #"{"value":"5"}"#, [.integer(5)]),
            (#""fieldName":"ref""#, "EQUALS", #"{"value":{"recordName":"x","action":"VALIDATE"}}"#, [.text("x")]),
            (#""fieldName":"ref""#, "EQUALS", #"{"recordName":"x"}"#, [.text("x")]),
            (#""fieldName":"ref""#, "EQUALS", #"{"value":"x"}"#, [.text("x")]),
            (#""fieldName":"tags""#, "LIST_CONTAINS", #"{"value":"x"}"#, [.text("x")]),
            (#""systemFieldName":"recordName""#, "EQUALS", #"{"value":{"recordName":"x"}}"#, [.text("x")]),
            (#""fieldName":"recordName""#, "EQUALS", #"{"value":"x"}"#, [.text("x")]),
            (#""fieldName":"___recordId""#, "EQUALS", #"{"value":"x"}"#, [.text("x")]),
            (#""fieldName":"___createTime""#, "GREATER_THAN", #"{"value":5}"#, [.integer(5)]),
            (#""fieldName":"creationDate""#, "GREATER_THAN", #"{"value":5}"#, [.integer(5)]),
        ])
    func operands(field: String, comparator: String, value: String, keys: [IndexKey]) throws {
        #expect(try resolve(filter(field, comparator, value)).filters.first?.keys == keys)
    }

    @Test("A declared field hides the system field of the same name") func systemFieldName() throws {
        let query = try resolve(
            #"{"recordType":"Note","sortBy":[{"fieldName":"modifiedDate"},{"fieldName":"modificationDate"}]}"#)
        #expect(query.sorts.map(\.subject.column).last == "___modTime")
        #expect(query.sorts.first?.subject.type == FieldType(.int64))
    }

    @Test(
        "With strict indexes a query by an unmarked field is refused",
        arguments: [
            (
                #"{"recordType":"Note"}"#,
                "Field 'recordName' is not marked queryable; add QUERYABLE to ___recordID of 'Note' in the schema, or send a filter"
            ),
            (
                #"{"recordType":"Note","sortBy":{"fieldName":"title"}}"#,
                "Field 'recordName' is not marked queryable; add QUERYABLE to ___recordID of 'Note' in the schema, or send a filter"
            ),
            (
                #"{"recordType":"Marked","sortBy":{"systemFieldName":"createdTimestamp"}}"#,
                "Field '___createTime' is not marked sortable; add SORTABLE to ___createTime of 'Marked' in the schema"
            ),
            (
                #"{"recordType":"Note","filterBy":[{"fieldName":"plain","comparator":"EQUALS","fieldValue":{"value":"x"}}]}"#,
                "Field 'plain' is not marked queryable; add QUERYABLE to plain of 'Note' in the schema"
            ),
            (
                #"{"recordType":"Note","filterBy":[{"fieldName":"sorted","comparator":"EQUALS","fieldValue":{"value":1}}]}"#,
                "Field 'sorted' is not marked queryable; add QUERYABLE to sorted of 'Note' in the schema"
            ),
            (
                #"{"recordType":"Note","filterBy":[{"fieldName":"title","comparator":"EQUALS","fieldValue":{"value":"x"}}],"sortBy":[{"fieldName":"plain"}]}"#,
                "Field 'plain' is not marked sortable; add SORTABLE to plain of 'Note' in the schema"
            ),
            (
                #"{"recordType":"Note","filterBy":{"systemFieldName":"createdTimestamp","comparator":"EQUALS","fieldValue":{"value":1}}}"#,
                "Field '___createTime' is not marked queryable; add QUERYABLE to ___createTime of 'Note' in the schema"
            ),
        ])
    func strictIndexes(text: String, reason: String) throws {
        #expect(throws: ServerError.badRequest(Reason(known: reason))) { try resolve(text, strict: true) }
        #expect(throws: Never.self) { try resolve(text) }
    }

    @Test("A range needs QUERYABLE or SORTABLE") func range() {
        #expect(throws: Never.self) {
            try resolve(filter(#""fieldName":"sorted""#, "LESS_THAN", #"{"value":1}"#), strict: true)
        }
        #expect(throws: Never.self) { try resolve(#"{"recordType":"Marked"}"#, strict: true) }
    }

    @Test(
        "A query that cannot be resolved is refused with its reason",
        arguments: [
            ("null", "query is missing"), ("{}", "query.recordType is missing"),
            (#"{"recordType":"Note","filterBy":5}"#, "query.filterBy must be an array, not a number"),
            (#"{"recordType":"Note","filterBy":[5]}"#, "query.filterBy[0] must be an object, not a number"),
            (#"{"recordType":"Note","filterBy":{"fieldName":"title"}}"#, "query.filterBy[0].comparator is missing"),
            (#"{"recordType":"Note","filterBy":{"comparator":"BETWEEN"}}"#, "query.filterBy[0].comparator 'BETWEEN'"),
            (
                #"{"recordType":"Note","filterBy":{"comparator":"EQUALS","fieldValue":{"value":1}}}"#,
                "query.filterBy[0] needs a fieldName"
            ),
            (
                #"{"recordType":"Note","filterBy":{"systemFieldName":"x","comparator":"EQUALS"}}"#,
                "query.filterBy[0].systemFieldName 'x' is unknown"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"title","comparator":"EQUALS"}}"#,
                "query.filterBy[0].fieldValue is missing"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"title","comparator":"EQUALS","fieldValue":{"value":null}}}"#,
                "query.filterBy[0].fieldValue.value is missing"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"no","comparator":"EQUALS","fieldValue":{"value":1}}}"#,
                "Unknown field 'no' in record type 'Note'"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"secret","comparator":"EQUALS","fieldValue":{"value":"x"}}}"#,
                "Field 'secret' has a value type of ENCRYPTED_STRING and cannot be queried using filter type EQUALS"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"tags","comparator":"EQUALS","fieldValue":{"value":"x"}}}"#,
                "Field 'tags' has a value type of STRING_LIST and cannot be queried"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"title","comparator":"LIST_CONTAINS","fieldValue":{"value":"x"}}}"#,
                "Field 'title' has a value type of STRING and cannot be queried"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"real","comparator":"BEGINS_WITH","fieldValue":{"value":"x"}}}"#,
                "Field 'real' has a value type of DOUBLE and cannot be queried"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"title","comparator":"IN","fieldValue":{"value":"x"}}}"#,
                "IN on field 'title' needs an array, not a string"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"title","comparator":"IN","fieldValue":{"value":[]}}}"#,
                "IN on field 'title' has 0 operands, 1 to 1000 are allowed"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"when","comparator":"EQUALS","fieldValue":{"value":1.5}}}"#,
                "Invalid value, expected type TIMESTAMP."
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"title","comparator":"EQUALS","fieldValue":{"value":5}}}"#,
                "Invalid value, expected type STRING."
            ),
            (
                #"{"recordType":"Note","sortBy":{"fieldName":"tags"}}"#,
                "Field 'tags' has a value type of STRING_LIST and cannot be sorted by"
            ),
            (
                #"{"recordType":"Note","sortBy":{"fieldName":"title","ascending":"yes"}}"#,
                "query.sortBy[0].ascending must be true or false"
            ),
            (
                #"{"recordType":"Note","sortBy":{"fieldName":"title","relativeLocation":{"latitude":1,"longitude":1}}}"#,
                "Field 'title' has a value type of STRING and cannot be sorted by the distance from a place"
            ),
            (
                #"{"recordType":"Note","sortBy":{"fieldName":"place"}}"#,
                "Field 'place' has a value type of LOCATION and cannot be sorted by: relativeLocation is missing"
            ),
            (
                #"{"recordType":"Note","sortBy":{"fieldName":"place","relativeLocation":{"latitude":91,"longitude":1}}}"#,
                "Invalid value, expected type LOCATION. Field 'place': latitude must be within ±90"
            ),
            (
                #"{"recordType":"Note","sortBy":{"fieldName":"place","relativeLocation":{"type":"LOCATION"}}}"#,
                "query.sortBy[0].relativeLocation.value is missing"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"place","comparator":"NEAR","fieldValue":{"latitude":1,"longitude":1}}}"#,
                "NEAR on field 'place' needs a distance in metres"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"place","comparator":"NEAR","distance":-5,"fieldValue":{"latitude":1,"longitude":1}}}"#,
                "NEAR on field 'place': distance must be a number of metres, 0 or more, not -5"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"place","comparator":"NEAR","distance":"nan","fieldValue":{"latitude":1,"longitude":1}}}"#,
                "NEAR on field 'place': distance must be a number of metres, 0 or more, not a string"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"title","comparator":"NEAR","distance":5,"fieldValue":{"latitude":1,"longitude":1}}}"#,
                "Field 'title' has a value type of STRING and cannot be queried using filter type NEAR"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"title","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"The, … of"}}}"#,
                "CONTAINS_ALL_TOKENS on field 'title' has 0 words to search for, 1 to 1000 are allowed"
            ),
            (
                #"{"recordType":"Note","filterBy":{"comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":[]}}}"#,
                "CONTAINS_ANY_TOKENS on all searchable fields has 0 words to search for"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"title","comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":[5]}}}"#,
                "CONTAINS_ANY_TOKENS on field 'title' needs words as STRING or STRING_LIST, not a number"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"plain","comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":"x"}}}"#,
                "Field 'plain' is not marked searchable; add SEARCHABLE to plain of 'Note' in the schema"
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"when","comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":"x"}}}"#,
                "Field 'when' has a value type of TIMESTAMP and cannot be queried using filter type CONTAINS_ANY_TOKENS"
            ),
            (
                #"{"recordType":"Marked","filterBy":{"comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":"x"}}}"#,
                "No field of 'Marked' is marked searchable; add SEARCHABLE to one of them in the schema"
            ),
        ])
    func refused(text: String, reason: String) {
        let error = #expect(throws: ServerError.self) { try resolve(text) }
        #expect(error?.code == .badRequest)
        #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("A query over a limit is refused with both numbers") func overLimit() {
        let filter = #"{"fieldName":"title","comparator":"EQUALS","fieldValue":{"value":"x"}}"#
        let many = { (count: Int) in Array(repeating: filter, count: count).joined(separator: ",") }
        #expect(throws: ServerError.badRequest("query.filterBy has 100000 elements, at most 100 are allowed")) {
            try resolve(#"{"recordType":"Note","filterBy":[\#(many(100_000))]}"#)
        }
        let operands = (0..<1000).map(String.init).joined(separator: ",")
        let large = #"{"fieldName":"when","comparator":"IN","fieldValue":{"value":[\#(operands)]}}"#
        #expect(throws: ServerError.badRequest("query has 3000 operands, at most 2000 are allowed")) {
            try resolve(#"{"recordType":"Note","filterBy":[\#(large),\#(large),\#(large)]}"#)
        }
        #expect(throws: ServerError.badRequest("IN on field 'when' has 1001 operands, 1 to 1000 are allowed")) {
            try resolve(
                #"{"recordType":"Note","filterBy":{"fieldName":"when","comparator":"IN","fieldValue":{"value":[\#(operands),1]}}}"#
            )
        }
    }

    @Test("Two spellings of a query have one fingerprint, a different query has another")
    func fingerprint() throws {
        let one = try resolve(filter(#""fieldName":"title""#, "EQUALS", #"{"value":"x"}"#))
        let same = try resolve(filter(#""fieldName":"title""#, "EQUALS", #"{"value":"x","type":"STRING"}"#))
        let other = try resolve(filter(#""fieldName":"title""#, "EQUALS", #"{"value":"y"}"#))
        #expect(one.fingerprint == same.fingerprint)
        #expect(one.fingerprint != other.fingerprint)
    }

    @Test(
        "A query records the index marks that it cannot run without",
        arguments: [
            (#"{"recordType":"Marked"}"#, ["___recordID QUERYABLE"]), (#"{"recordType":"Note"}"#, []),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"title","comparator":"EQUALS","fieldValue":{"value":"x"}}}"#,
                ["title QUERYABLE"]
            ),
            // A range does with either mark, and takes the one that the field has.
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"sorted","comparator":"LESS_THAN","fieldValue":{"value":1}}}"#,
                ["sorted SORTABLE"]
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"plain","comparator":"EQUALS","fieldValue":{"value":"x"}}}"#,
                []
            ),
            (
                #"{"recordType":"Note","filterBy":[{"fieldName":"when","comparator":"LESS_THAN","fieldValue":{"value":1}},{"fieldName":"when","comparator":"GREATER_THAN","fieldValue":{"value":0}}],"sortBy":[{"fieldName":"when"}]}"#,
                ["when QUERYABLE", "when SORTABLE"]
            ),
            (
                #"{"recordType":"Note","filterBy":{"fieldName":"title","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"x y"}}}"#,
                ["title SEARCHABLE"]
            ),
        ])
    func usedMarks(query: String, marks: [String]) throws {
        #expect(try resolve(query).usedMarks.map { "\($0.field) \($0.mark.rawValue)" } == marks)
    }

    @Test("Comparator properties agree with comparator names", arguments: Comparator.allCases)
    func comparators(comparator: Comparator) {
        let name = comparator.rawValue
        #expect(comparator.appliesToLists == name.contains("LIST_"))
        #expect(comparator.isPrefix == name.hasSuffix("BEGINS_WITH"))
        #expect(
            comparator.takesMany
                == (name.hasSuffix("IN") && !name.contains("_CONTAINS") || name.hasSuffix("_ALL")
                    || name.hasSuffix("_ANY")))
    }
}
