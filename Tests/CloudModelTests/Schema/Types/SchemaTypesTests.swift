import CloudModel
import Testing

/// The types made from a schema, in all languages.
struct SchemaTypesTests {
    private static let whole = "RECORD TYPE Note (title STRING, due TIMESTAMP); RECORD TYPE \"a-b\" (\"grant\" INT64);"

    @Test("A schema's Swift types have a header and a struct for each record type") func swift() throws {
        let text = SchemaTypes.text(
            SchemaDefinition(types: ["Note": TypeDefinition(fields: ["title": FieldDeclaration(FieldType(.string))])]),
            in: .swift, madeBy: "cumulus schema types c --language swift")
        #expect(
            text.hasPrefix(
                """
                // Made by: cumulus schema types c --language swift
                // swift-format-ignore-file
                import CumulusKit
                import Foundation

                /// A record of type `Note`.
                struct Note {
                    static let recordType: CKRecord.RecordType = "Note"
                    let record: CKRecord

                    /// A new record.
                    init(recordID: CKRecord.ID = CKRecord.ID()) {
                        record = CKRecord(recordType: Self.recordType, recordID: recordID)
                    }

                    /// Nil for a record of another type.
                    init?(_ record: CKRecord) {
                        guard record.recordType == Self.recordType else { return nil }
                        self.record = record
                    }

                    var title: String? {
                        get { record["title"] }
                        nonmutating set { record["title"] = newValue }
                    }
                }

                /// A record of type `Users`.
                struct Users {

                """))
    }

    @Test("A schema's TypeScript types have an interface for each record type") func typeScript() throws {
        let schema = try SchemaParser.parse("DEFINE SCHEMA \(Self.whole)")
        #expect(
            SchemaTypes.text(schema, in: .typescript, madeBy: "cumulus schema types c --language typescript") == """
                // Made by: cumulus schema types c --language typescript

                export interface Note {
                    due: Date;
                    title: string;
                }

                export interface Users {
                    roles: (number | bigint)[];
                }

                /** Record type "a-b". */
                export interface a_b {
                    grant: number | bigint;
                }

                /** Record type "cloudkit.share". */
                export interface CloudKitShare {
                    "cloudkit.thumbnailImageData": Uint8Array;
                    "cloudkit.title": string;
                    "cloudkit.type": string;
                }

                /** The fields of each record type, for `configure<Schema>(…)`. */
                export type Schema = {
                    Note: Note;
                    Users: Users;
                    "a-b": a_b;
                    "cloudkit.share": CloudKitShare;
                };

                """)
    }

    @Test(
        "Each field type has its counterpart in each language",
        arguments: [
            ("STRING", "String", "string"), ("INT64", "Int64", "number | bigint"), ("DOUBLE", "Double", "number"),
            ("NUMBER", "Double", "number | bigint"), ("NUMBER PREFERRED AS INT64", "Int64", "number | bigint"),
            ("TIMESTAMP", "Date", "Date"), ("BYTES", "Data", "Uint8Array"),
            ("LOCATION", "CKLocation", "Client.Location"),
            ("REFERENCE", "CKRecord.Reference", "Client.Reference"), ("ASSET", "CKAsset", "Client.Asset"),
            ("LIST<STRING>", "[String]", "string[]"), ("LIST<INT64>", "[Int64]", "(number | bigint)[]"),
            ("LIST<NUMBER PREFERRED AS DOUBLE>", "[Double]", "number[]"), ("LIST<BYTES>", "[Data]", "Uint8Array[]"),
            ("LIST<ASSET>", "[CKAsset]", "Client.Asset[]"), ("LIST<ENCRYPTED STRING>", "[String]", "string[]"),
            ("ENCRYPTED BYTES", "Data", "Uint8Array"), ("ENCRYPTED DOUBLE", "Double", "number"),
        ])
    func kinds(type: String, swift: String, typeScript: String) throws {
        let schema = "RECORD TYPE A (field \(type));"
        let lines = try TypesText.lines(schema, .swift)
        #expect(lines.contains("var field: \(swift)? {"))
        let value = type.contains("ENCRYPTED") ? "record.encryptedValues[\"field\"]" : "record[\"field\"]"
        #expect(lines.contains("get { \(value) }") && lines.contains("nonmutating set { \(value) = newValue }"))
        let others = try TypesText.lines(schema, .typescript)
        #expect(others.contains("field: \(typeScript);"))
        // Bytes may come without the mark.
        let isMarked = type.contains("ENCRYPTED") && !type.contains("BYTES")
        #expect(others.contains("/** Encrypted: save it as `{ value, isEncrypted: true }`. */") == isMarked)
        #expect(others.contains("import type * as Client from \"cumulus-client\";") == typeScript.contains("Client"))
    }

    @Test("A field named like a property of every JavaScript object also has the inherited type")
    func inheritedNames() throws {
        let lines = try TypesText.lines("RECORD TYPE A (toString INT64, constructor STRING, name STRING);", .typescript)
        #expect(lines.contains("toString: number | bigint | Object[\"toString\"];") && lines.contains("name: string;"))
        #expect(lines.contains("constructor: string | Object[\"constructor\"];"))
    }

    @Test(
        "Built-in types have their fields, whether a schema names them or not",
        arguments: SchemaTypes.Language.allCases)
    func builtInTypes(language: SchemaTypes.Language) throws {
        let users = "RECORD TYPE Users (roles LIST<INT64>);"
        let share =
            "RECORD TYPE \"cloudkit.share\" (\"cloudkit.title\" STRING, \"cloudkit.type\" STRING, "
            + "\"cloudkit.thumbnailImageData\" BYTES);"
        let text = try TypesText.lines(Self.whole, language)
        #expect(try TypesText.lines(Self.whole + users + share, language) == text)
        #expect(try TypesText.lines("RECORD TYPE Users (\"___recordID\" REFERENCE);" + Self.whole, language) == text)
        #expect(text.contains { $0.contains("roles: ") })
    }

    @Test("The order of declarations in a schema does not matter", arguments: SchemaTypes.Language.allCases)
    func order(language: SchemaTypes.Language) throws {
        let turned = "RECORD TYPE \"a-b\" (\"grant\" INT64); RECORD TYPE Note (due TIMESTAMP, title STRING);"
        #expect(try TypesText.lines(Self.whole, language) == TypesText.lines(turned, language))
    }

    @Test(
        "The generating command stays on one line, whatever characters it contains",
        arguments: SchemaTypes.Language.allCases)
    func commands(language: SchemaTypes.Language) {
        let command = "a\nb\rc\u{2028}d\u{85}e\u{0}f é"
        let text = SchemaTypes.text(SchemaDefinition(), in: language, madeBy: command)
        #expect(text.unicodeScalars.prefix { $0 != "\n" }.elementsEqual("// Made by: a?b?c?d?e?f é".unicodeScalars))
    }
}
