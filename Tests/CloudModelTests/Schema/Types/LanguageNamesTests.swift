import CloudModel
import Testing

/// Names that types made from a schema have in each language.
struct LanguageNamesTests {
    @Test(
        "A record type whose name is taken in the language gets another name",
        arguments: [
            ("class", "classRecord", "classRecord"), ("Date", "DateRecord", "DateRecord"),
            ("String", "StringRecord", "String"), ("string", "string", "stringRecord"),
            ("Client", "Client", "ClientRecord"), ("CKRecord", "CKRecordRecord", "CKRecord"),
            ("Schema", "Schema", "SchemaRecord"), ("Any", "AnyRecord", "Any"), ("a-b.c", "a_b_c", "a_b_c"),
        ])
    func typeNames(name: String, swift: String, typeScript: String) throws {
        let schema = "RECORD TYPE \"\(name)\" (a STRING);"
        let lines = try TypesText.lines(schema, .swift)
        #expect(lines.contains("struct \(swift) {"))
        #expect(lines.contains("static let recordType: CKRecord.RecordType = \"\(name)\""))
        let others = try TypesText.lines(schema, .typescript)
        #expect(others.contains("export interface \(typeScript) {"))
        let key = name.contains("-") ? "\"\(name)\"" : name
        #expect(others.contains("\(key): \(typeScript);"))
        #expect(others.contains("/** Record type \"\(name)\". */") == (name != typeScript))
    }

    @Test("Colliding names are made unique, and a valid name stays")
    func sameNames() throws {
        let types = ["a.b", "a-b", "a_b", "a_b_2", "Date", "DateRecord", "CloudKitShare"]
        let schema = types.map { "RECORD TYPE \"\($0)\" (a STRING);" }.joined()
        let structures = try TypesText.lines(schema, .swift).filter { $0.hasPrefix("struct") }
        #expect(
            structures.map { $0.dropFirst(7).dropLast(2) } == [
                "CloudKitShare", "DateRecord_2", "DateRecord", "Users", "a_b_3", "a_b_4", "a_b", "a_b_2",
                "CloudKitShare_2",
            ])
    }

    @Test(
        "A field named by a Swift keyword is put in backticks or renamed",
        arguments: [
            ("class", "`class`"), ("init", "`init`"), ("self", "`self`"), ("Type", "`Type`"), ("record", "recordField"),
            ("Self", "SelfField"), ("await", "await"), ("recordType", "recordType"),
        ])
    func fieldNames(name: String, swift: String) throws {
        let lines = try TypesText.lines("RECORD TYPE A (\(name) STRING);", .swift)
        #expect(lines.contains("var \(swift): String? {") && lines.contains("get { record[\"\(name)\"] }"))
    }

    @Test("A share's fields have names without a dot in Swift, beside an app's own")
    func shareFields() throws {
        let lines = try TypesText.lines("RECORD TYPE \"cloudkit.share\" (title INT64, colour STRING);", .swift)
        for line in [
            "var title: Int64? {", "var title_2: String? {", "get { record[\"cloudkit.title\"] }",
            "var type: String? {", "var thumbnailImageData: Data? {", "var colour: String? {",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }
}
