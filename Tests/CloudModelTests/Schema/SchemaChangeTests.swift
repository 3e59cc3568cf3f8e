import CloudModel
import Testing

/// Steps from one schema to another, and the data that production would lose by them.
struct SchemaChangeTests {
    private static let old = """
        DEFINE SCHEMA
        CREATE ROLE Editor;
        RECORD TYPE A (a STRING QUERYABLE, b INT64, n NUMBER, x LIST<STRING>, GRANT READ, WRITE TO Editor);
        RECORD TYPE Gone (a STRING);
        RECORD TYPE Users (roles LIST<INT64>);
        """
    private static let new = """
        DEFINE SCHEMA
        CREATE ROLE Author;
        RECORD TYPE A (
            "___recordID" REFERENCE QUERYABLE, a STRING SORTABLE, b DOUBLE, n NUMBER PREFERRED AS INT64 QUERYABLE,
            c ASSET, GRANT READ TO "_world", GRANT READ TO Author);
        RECORD TYPE Come (a ENCRYPTED STRING, "___modTime" TIMESTAMP SORTABLE, GRANT CREATE TO "_icloud");
        """

    @Test("The difference of two schemas names each step") func difference() throws {
        let changes = try SchemaParser.parse(Self.old).changes(to: SchemaParser.parse(Self.new))
        #expect(
            SchemaDifference.text(changes) == """
                + CREATE ROLE Author
                - A.a QUERYABLE
                + A.a SORTABLE
                - A.b INT64
                + A.b DOUBLE
                + A.c ASSET
                ~ A.n NUMBER PREFERRED AS INT64
                + A.n QUERYABLE
                - A.x
                + A."___recordID" QUERYABLE
                + A GRANT READ TO Author
                - A GRANT READ, WRITE TO Editor
                + A GRANT READ TO "_world"
                + RECORD TYPE Come
                + Come.a ENCRYPTED STRING
                + Come."___modTime" SORTABLE
                + Come GRANT CREATE TO "_icloud"
                - RECORD TYPE Gone
                - CREATE ROLE Editor

                """)
        #expect(changes.filter(\.losesData).count == 3)
    }

    @Test("Types, fields and roles of production cannot be removed") func removals() throws {
        let losses = try SchemaParser.parse(Self.old).losses(in: SchemaParser.parse(Self.new))
        #expect(
            losses == [
                "field 'b' of record type 'A' is INT64 in production and cannot become DOUBLE",
                "field 'x' of record type 'A' is in production and cannot be removed",
                "record type 'Gone' is in production and cannot be removed",
                "role 'Editor' is in production and cannot be removed",
            ])
    }

    @Test("The difference of two schemas settles NUMBER in lists") func numberLists() throws {
        let old = try SchemaParser.parse("DEFINE SCHEMA RECORD TYPE A (l LIST<NUMBER>, n NUMBER);")
        let new = try SchemaParser.parse(
            "DEFINE SCHEMA RECORD TYPE A (l LIST<NUMBER PREFERRED AS INT64>, n LIST<NUMBER PREFERRED AS INT64>);")
        #expect(
            SchemaDifference.text(old.changes(to: new)) == """
                ~ A.l LIST<NUMBER PREFERRED AS INT64>
                - A.n NUMBER
                + A.n LIST<NUMBER PREFERRED AS INT64>

                """)
    }

    @Test("A schema has no difference to itself") func noDifference() throws {
        for text in [Self.old, Self.new] {
            let schema = try SchemaParser.parse(text)
            #expect(schema.changes(to: schema).isEmpty)
            #expect(schema.changes(to: try SchemaParser.parse(SchemaText.text(schema))).isEmpty)
        }
    }
}
