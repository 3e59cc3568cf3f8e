import CloudModel
import Foundation
import Testing

/// The schema language: what is read, what is refused and where, and that what is written reads the same.
struct SchemaTextTests {
    /// The published form, as reference A §11.3 shows it.
    private static let published = """
        DEFINE SCHEMA

            CREATE ROLE Editor;

            RECORD TYPE Department (
                Zone            STRING,
                "___createTime" TIMESTAMP QUERYABLE,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE QUERYABLE,
                count           NUMBER PREFERRED AS INT64 QUERYABLE,
                "grant"         NUMBER,
                name            STRING QUERYABLE SEARCHABLE SORTABLE,
                numbers         LIST<NUMBER PREFERRED AS DOUBLE> QUERYABLE,
                phone           LIST<STRING>,
                place           LOCATION QUERYABLE SORTABLE,
                secret          ENCRYPTED STRING,
                secrets         LIST<ENCRYPTED INT64>,
                GRANT READ, WRITE TO Editor,
                GRANT WRITE TO "_creator",
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world"
            );

            RECORD TYPE Users (
                "___createTime" TIMESTAMP,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE,
                roles           LIST<INT64>,
                GRANT WRITE TO "_creator",
                GRANT READ TO "_world"
            );

            RECORD TYPE "cloudkit.share" (
                "___createTime"  TIMESTAMP,
                "___createdBy"   REFERENCE,
                "___etag"        STRING,
                "___modTime"     TIMESTAMP,
                "___modifiedBy"  REFERENCE,
                "___recordID"    REFERENCE,
                "cloudkit.title" STRING
            );

        """

    @Test("A schema in the published form is written as it was read") func roundTrip() throws {
        #expect(SchemaText.text(try SchemaParser.parse(Self.published)) == Self.published)
    }

    @Test("Schema text is parsed into roles, types, fields and grants") func parsing() throws {
        let schema = try SchemaParser.parse(Self.published)
        #expect(schema.roles == ["Editor"])
        let type = try #require(schema.types["Department"])
        #expect(type.implicit == [.createTime: [.queryable], .recordID: [.queryable]])
        #expect(type.fields.count == 9)
        #expect(
            type.fields["count"]
                == FieldDeclaration(FieldType(.int64), isPreferredNumber: true, indexes: [.queryable]))
        #expect(
            type.fields["numbers"]
                == FieldDeclaration(FieldType(.double, isList: true), isPreferredNumber: true, indexes: [.queryable]))
        #expect(
            type.fields["secrets"] == FieldDeclaration(FieldType(.int64, isList: true, isEncrypted: true)))
        #expect(
            type.grants
                == Grants(["Editor": [.read, .write], "_creator": [.write], "_icloud": [.create], "_world": [.read]]))
    }

    /// The form is free: order, blanks, comments, the case of keywords, quotes where none are needed.
    @Test(
        "Order, blanks, comments, letter case and needless quotes do not matter in a schema's text",
        arguments: [
            "define schema record type A(grant read to \"_world\",b int64 sortable queryable,a list<string>);",
            """
            \u{FEFF}DEFINE SCHEMA -- what there is
            RECORD TYPE "A" ( /* a
                comment; */ "a" LIST < STRING >, // and another
                GRANT READ TO "_world", "___etag" STRING,
                b INT64 QUERYABLE SORTABLE
            );
            """,
            "DEFINE SCHEMA\r\nRECORD TYPE A (\r\na LIST<STRING>,\r\nb INT64 QUERYABLE SORTABLE,\r\nGRANT READ TO \"_world\");",
        ])
    func freeForm(text: String) throws {
        let type = TypeDefinition(
            fields: [
                "a": FieldDeclaration(FieldType(.string, isList: true)),
                "b": FieldDeclaration(FieldType(.int64), indexes: [.queryable, .sortable]),
            ], grants: Grants(["_world": [.read]]))
        #expect(try SchemaParser.parse(text) == SchemaDefinition(types: ["A": type]))
    }

    @Test("An empty schema is parsed", arguments: ["DEFINE SCHEMA", " define schema -- nothing", "DEFINE SCHEMA /**/"])
    func emptySchema(text: String) throws {
        #expect(try SchemaParser.parse(text) == SchemaDefinition())
    }

    @Test(
        "A mistake in schema text is reported with its line and column",
        arguments: [
            ("", 1, 1, "begins with DEFINE SCHEMA"), ("RECORD TYPE A (a STRING);", 1, 1, "begins with DEFINE SCHEMA"),
            ("DEFINE\nSCHEMAS", 2, 1, "expected SCHEMA"), ("DEFINE SCHEMA TYPE", 1, 15, "RECORD TYPE or CREATE ROLE"),
            (
                "DEFINE SCHEMA\n  RECORD TYPE A (a STRING)", 2, 27,
                "expected ; (after a record type or role), not the end"
            ),
            ("DEFINE SCHEMA RECORD TYPE A ();", 1, 30, "the name of a field, not ')'"),
            ("DEFINE SCHEMA RECORD TYPE A (a STRING,);", 1, 39, "the name of a field"),
            ("DEFINE SCHEMA RECORD TYPE A (a STRING b INT64);", 1, 39, "expected ) (or a comma"),
            ("DEFINE SCHEMA RECORD TYPE A (\n\ta TEXT);", 2, 4, "not 'TEXT': ASSET, BYTES"),
            ("DEFINE SCHEMA RECORD TYPE A (a LIST<LIST<STRING>>);", 1, 37, "the type of a field, not 'LIST'"),
            ("DEFINE SCHEMA RECORD TYPE A (a LIST<STRING);", 1, 43, "expected >"),
            ("DEFINE SCHEMA RECORD TYPE A (a ENCRYPTED ASSET);", 1, 42, "ASSET cannot be ENCRYPTED"),
            ("DEFINE SCHEMA RECORD TYPE A (a STRING SORTABLE SORTABLE);", 1, 48, "SORTABLE is given twice"),
            ("DEFINE SCHEMA RECORD TYPE A (a NUMBER PREFERRED AS STRING);", 1, 52, "INT64 or DOUBLE, not 'STRING'"),
            ("DEFINE SCHEMA RECORD TYPE A (a STRING, a INT64);", 1, 40, "field 'a' is declared twice"),
            (
                "DEFINE SCHEMA RECORD TYPE A (a STRING, \"___etag\" STRING, \"___etag\" STRING);", 1, 58,
                "is declared twice"
            ),
            ("DEFINE SCHEMA RECORD TYPE A (\"___etag\" INT64);", 1, 30, "is of type STRING in every record type"),
            ("DEFINE SCHEMA RECORD TYPE A (\"___mine\" INT64);", 1, 30, "'___mine' must be a letter"),
            ("DEFINE SCHEMA RECORD TYPE A (_a INT64);", 1, 30, "in double quotes"),
            ("DEFINE SCHEMA RECORD TYPE A (sortable INT64);", 1, 30, "'sortable' is a keyword"),
            ("DEFINE SCHEMA RECORD TYPE A (a-b INT64);", 1, 31, "'-' is not allowed here"),
            ("DEFINE SCHEMA RECORD TYPE \"a b\" (a INT64);", 1, 27, "recordType 'a b' must be a letter"),
            ("DEFINE SCHEMA RECORD TYPE \"cloudkit.x\" (a INT64);", 1, 27, "is reserved"),
            (
                "DEFINE SCHEMA RECORD TYPE A (a INT64); RECORD TYPE A (a INT64);", 1, 52,
                "record type 'A' is declared twice"
            ),
            ("DEFINE SCHEMA CREATE ROLE A; CREATE ROLE A;", 1, 42, "role 'A' is declared twice"),
            ("DEFINE SCHEMA CREATE ROLE \"_world\";", 1, 27, "role name '_world' must be a letter"),
            ("DEFINE SCHEMA RECORD TYPE A (GRANT DELETE TO \"_world\");", 1, 36, "READ, CREATE or WRITE after GRANT"),
            ("DEFINE SCHEMA RECORD TYPE A (GRANT READ \"_world\");", 1, 41, "expected TO"),
            ("DEFINE SCHEMA RECORD TYPE A (GRANT READ TO Editor);", 1, 44, "there is no role \"Editor\""),
            ("DEFINE SCHEMA /* and so on", 1, 15, "this comment is not closed"),
            ("DEFINE SCHEMA RECORD TYPE \"A (a INT64);", 1, 27, "this name is not closed"),
            ("DEFINE SCHEMA\u{0}", 1, 14, "U+0000 is not allowed here"),
        ])
    func mistakes(text: String, line: Int, column: Int, reason: String) {
        let error = #expect(throws: SchemaSyntaxError.self) { try SchemaParser.parse(text) }
        #expect(error?.line == line && error?.column == column, "\(String(describing: error))")
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    /// Core Data and SwiftData mark what they mirror as BYTES, and so do apps that save it.
    @Test(
        "Every field type accepts every index mark, and the marks survive a round trip",
        arguments: FieldKind.allCases.map(\.rawValue) + [
            "LIST<STRING>", "LIST<BYTES>", "LIST<ASSET>", "ENCRYPTED STRING", "ENCRYPTED BYTES",
            "LIST<ENCRYPTED INT64>",
            "NUMBER PREFERRED AS INT64",
        ])
    func fieldMarks(type: String) throws {
        let field = "a \(type) QUERYABLE SEARCHABLE SORTABLE"
        let schema = try SchemaParser.parse("DEFINE SCHEMA RECORD TYPE A (\(field));")
        #expect(schema.types["A"]?.fields["a"]?.indexes == Set(IndexKind.allCases))
        let text = SchemaText.text(schema)
        #expect(text.contains(field.replacing("a ", with: "a               ", maxReplacements: 1)), "\(text)")
        #expect(try SchemaParser.parse(text) == schema)
    }

    @Test("A system field accepts every index mark", arguments: ImplicitField.allCases)
    func systemFieldMarks(field: ImplicitField) throws {
        let text = "DEFINE SCHEMA RECORD TYPE A (\"\(field.rawValue)\" \(field.kind.rawValue) SEARCHABLE SORTABLE);"
        #expect(try SchemaParser.parse(text).types["A"]?.implicit == [field: [.searchable, .sortable]])
    }

    /// Text cut off or with a piece gone is refused or read, and never ends the program.
    @Test("Broken schema text is refused without a crash") func brokenText() {
        let text = Array(Self.published.unicodeScalars)
        for end in text.indices {
            _ = try? SchemaParser.parse(String(String.UnicodeScalarView(text[..<end])))
            _ = try? SchemaParser.parse(String(String.UnicodeScalarView(text[..<end] + text[end...].dropFirst(7))))
        }
        #expect(throws: SchemaSyntaxError.self) { try SchemaParser.parse(String(Self.published.dropLast(3))) }
    }

    @Test("The sample schema is in the printed form") func sample() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Samples/tribeboard.ckdb")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(SchemaText.text(try SchemaParser.parse(text)) == text)
    }
}
