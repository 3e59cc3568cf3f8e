import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// A schema as Core Data's mirroring makes it, from its import to production.
@Suite(.timeLimit(.minutes(5)))
struct MirroredSchemaTests {
    private static let schema = """
            RECORD TYPE CD_Basket (
                CD_entityName   STRING QUERYABLE SEARCHABLE SORTABLE,
                CD_moveReceipt  BYTES QUERYABLE SORTABLE,
                CD_ripeness     BYTES QUERYABLE SORTABLE,
                CD_weight       INT64 QUERYABLE SORTABLE,
                "___createTime" TIMESTAMP,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE,
                payload         BYTES QUERYABLE SORTABLE,
                GRANT WRITE TO "_creator",
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world"
            );

        """

    @Test("A mirrored schema is imported, exported unchanged, deployed and queried by its indexes")
    func wholeWay() async throws {
        try await TestServer.run { server in
            let worker = try await server.makeOperator()
            let imported = try await worker.importing(Self.schema)
            #expect(imported.status == 200, "\(imported.text)")
            let again = try await worker.importing(Self.schema, dryRun: true, accept: "application/json")
            #expect(again["changes"] == .array([]), "\(again.text)")
            for environment in ["development", "production"] {
                if environment == "production" {
                    let deployed = try await worker.send(.post, "schema/deploy", in: environment)
                    #expect(deployed.status == 200, "\(deployed.text)")
                }
                let exported = try await worker.send(.get, "schema", in: environment)
                #expect(exported.text.contains(Self.schema), "\(exported.text)")
            }
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(
                "b1", type: "CD_Basket",
                fields: #""CD_entityName": {"value": "Basket"}, "payload": {"value": "AAEC", "type": "BYTES"}"#)
            let query = { (field: String, value: String) in
                #"{"query": {"recordType": "CD_Basket", "filterBy": {"fieldName": "\#(field)", "comparator": "EQUALS", "#
                    + #""fieldValue": {"value": "\#(value)"}}}}"#
            }
            let found = try await mei.post("private/records/query", query("CD_entityName", "Basket"))
            #expect(found["records.0.fields.payload.value"] == "AAEC")
            let refused = try await mei.post("private/records/query", query("payload", "AAEC"))
            #expect(refused.status == 400)
            #expect(
                refused.reason
                    == "Field 'payload' has a value type of BYTES and cannot be queried using filter type EQUALS")
        }
    }
}
