import TestCloud
import CloudModel
import Testing

/// The server does what `docs/queries.md` says of each comparator.
struct QueryTableTests {
    private static let zone = "Sample"

    @Test("Both tables of docs/queries.md are read") func tables() throws {
        let document = try QueryDocument()
        #expect(document.combinations.count == Comparator.allCases.count * 18)
        #expect(Set(document.combinations.map(\.comparator)) == Set(Comparator.allCases.map(\.rawValue)))
        #expect(document.examples.count > 80)
        #expect(
            Set(document.examples.map(\.comparator)) == Set(Comparator.allCases.map(\.rawValue)).subtracting(["NEAR"]))
        #expect(document.records.map(\.name) == ["a", "b", "c", "d", "e"])
    }

    @Test("Every example of docs/queries.md matches the records it names") func examples() async throws {
        let document = try QueryDocument()
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for zone in [Self.zone, "Other"] { try await mei.makeZone(zone) }
            for record in document.records {
                let fields = record.fields.map {
                    #""\#($0.name)": {"value": \#(Self.value($0.name, $0.value))\#(Self.tag($0.name))}"#
                }
                try await mei.save(
                    zone: Self.zone, record.name, type: "Sample", fields: fields.joined(separator: ", "))
            }
            for example in document.examples {
                let field = example.field.isEmpty ? "" : #""fieldName": "\#(example.field)", "#
                let answer = try await mei.post(
                    "private/records/query",
                    """
                    {"zoneID": {"zoneName": "\(Self.zone)"}, "query": {"recordType": "Sample", "filterBy": [
                        {\(field)"comparator": "\(example.comparator)",
                         "fieldValue": {"value": \(Self.value(example.field, example.operand))}}]}}
                    """)
                #expect(answer.status == 200, "\(example): \(answer.reason)")
                #expect(answer.recordNames.sorted() == example.matches, "\(example)")
            }
        }
    }

    /// As JSON: references are written by their names.
    private static func value(_ field: String, _ text: String) -> String {
        guard field == "r" else { return text }
        if text.hasPrefix("[") {
            let names = text.dropFirst().dropLast().split(separator: ",")
            return "[" + names.map { reference($0.filter { $0 != " " }) }.joined(separator: ",") + "]"
        }
        return reference(text)
    }

    private static func reference(_ text: String) -> String {
        let parts = text.split(separator: "@")
        let zone = parts.count > 1 ? #", "zoneID": {"zoneName": "\#(parts[1])"}"# : ""
        return #"{"recordName": "\#(parts[0])"\#(zone)}"#
    }

    private static func tag(_ field: String) -> String {
        let tags = [
            "i": "INT64", "d": "DOUBLE", "t": "TIMESTAMP", "r": "REFERENCE", "ls": "STRING_LIST", "li": "INT64_LIST",
        ]
        return tags[field].map { #", "type": "\#($0)""# } ?? ""
    }

    // MARK: Types

    /// A value of each type, and the tag it is sent with.
    private static let values: [String: (value: String, tag: String?)] = [
        "STRING": (#""word""#, nil), "INT64": ("1", "INT64"), "DOUBLE": ("1.5", "DOUBLE"), "NUMBER": ("1", nil),
        "TIMESTAMP": ("1000", "TIMESTAMP"), "REFERENCE": (#"{"recordName": "x"}"#, nil),
        "LOCATION": (#"{"latitude": 1, "longitude": 2}"#, nil), "BYTES": (#""AAAA""#, "BYTES"),
        "ENCRYPTED": (#""word""#, "ENCRYPTED_STRING"),
    ]

    private static func field(_ type: String) -> String {
        "f" + type.filter { $0 != "<" && $0 != ">" }
    }

    @Test("Every comparator is answered on the types of docs/queries.md and refused on others")
    func comparators() async throws {
        let document = try QueryDocument()
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await Self.saveEveryType(document, mei)
            for combination in document.combinations {
                let answer = try await mei.post("private/records/query", Self.query(combination))
                let refusal = "and cannot be queried using filter type \(combination.comparator)"
                let isRefused = answer.status == 400 && answer.code == "BAD_REQUEST" && answer.reason.hasSuffix(refusal)
                #expect(isRefused == !combination.isAnswered, "\(combination): \(answer.text)")
                let isFound = answer.status == 200 || answer.reason.contains("is not marked searchable; add SEARCHABLE")
                #expect(isFound == combination.isAnswered, "\(combination): \(answer.text)")
            }
        }
    }

    private static func saveEveryType(_ document: QueryDocument, _ mei: App) async throws {
        let file = try await mei.upload([1, 2, 3])
        var fields = [#""\#(field("ASSET"))": {"value": \#(file)}"#]
        for type in Set(document.combinations.map(\.type)) where type != "ASSET" {
            let isList = type.hasPrefix("LIST")
            guard let (value, tag) = values[isList ? String(type.dropFirst(5).dropLast()) : type] else { continue }
            let shownTag = tag.map { #", "type": "\#($0)\#(isList ? "_LIST" : "")""# } ?? ""
            fields.append(#""\#(field(type))": {"value": \#(isList ? "[\(value)]" : value)\#(shownTag)}"#)
        }
        try await mei.save("all", type: "Types", fields: fields.joined(separator: ", "))
    }

    private static func query(_ combination: QueryDocument.Combination) -> String {
        let isList = combination.type.hasPrefix("LIST")
        let element = values[isList ? String(combination.type.dropFirst(5).dropLast()) : combination.type]?.value ?? "1"
        let takesMany = Comparator(rawValue: combination.comparator)?.takesMany == true
        return """
            {"query": {"recordType": "Types", "filterBy": {"fieldName": "\(field(combination.type))", "distance": 5,
                "comparator": "\(combination.comparator)", "fieldValue": {"value": \(takesMany ? "[\(element)]" : element)}}}}
            """
    }
}
