@testable import CloudHTTP
import CloudServer
import TestCloud
import CloudModel
import NIOCore
import Testing

/// Schema text over HTTP: in, out, and on to production.
struct SchemaRouteTests {
    static let note = """
        RECORD TYPE Note (
            title STRING QUERYABLE SEARCHABLE SORTABLE,
            GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
        );
        """

    @Test("An imported schema is exported unchanged") func roundTrip() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            let steps = try await program.importing(Self.note)
            #expect(steps.status == 200)
            #expect(steps.headers[.contentType]?.hasPrefix("text/plain") == true)
            #expect(
                steps.text == """
                    + RECORD TYPE Note
                    + Note.title STRING QUERYABLE SEARCHABLE SORTABLE
                    + Note GRANT WRITE TO "_creator"
                    + Note GRANT CREATE TO "_icloud"
                    + Note GRANT READ TO "_world"

                    """)
            let text = try await program.send(.get, "schema").text
            #expect(text.hasPrefix("DEFINE SCHEMA\n"))
            for name in ["RECORD TYPE Note (", "RECORD TYPE Users (", "RECORD TYPE \"cloudkit.share\" ("] {
                #expect(text.contains(name))
            }
            let again = try await program.send(.put, "schema", body: text)
            #expect(again.status == 200 && again.text.isEmpty)
        }
    }

    @Test("The built-in type Users is exported as published")
    func users() async throws {
        try await TestServer.run { server in
            let text = try await server.makeOperator().send(.get, "schema").text
            #expect(
                text.contains(
                    """
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
                    """), "\(text)")
        }
    }

    @Test("A dry run changes nothing") func dryRun() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            let before = try await program.send(.get, "schema").text
            let steps = try await program.importing(Self.note, dryRun: true, accept: "application/json")
            #expect(steps["dryRun"] == true)
            #expect(steps["changes.0.losesData"] == false)
            #expect(steps["changes.0.text"]?.string?.hasPrefix("+ RECORD TYPE Note\n") == true)
            #expect(try await program.send(.get, "schema").text == before)
            let doubtful = try await program.send(.put, "schema?dryRun=perhaps", body: "DEFINE SCHEMA")
            #expect(doubtful.status == 400 && doubtful.reason.contains("dryRun"))
            try await program.importing(Self.note)
            let loss = try await program.importing("", dryRun: true, accept: "application/json")
            #expect(loss["changes.0.text"] == "- RECORD TYPE Note\n")
            #expect(loss["changes.0.losesData"] == true)
        }
    }

    @Test(
        "A malformed schema text is refused with line and column",
        arguments: [
            ("", "no body", nil), ("\u{0}", "U+0000", (1, 1)), ("DEFINE", "SCHEMA", (1, 7)),
            ("DEFINE SCHEMA\nRECORD TYPE Note (\n  title STRIN\n);", "STRIN", (3, 9)),
            ("DEFINE SCHEMA /*", "comment", (1, 15)),
        ] as [(String, String, (Int64, Int64)?)])
    func malformed(text: String, hint: String, place: (Int64, Int64)?) async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            let before = try await program.send(.get, "schema").text
            let answer = try await program.send(.put, "schema", body: text)
            #expect(answer.status == 400 && answer.code == "BAD_REQUEST")
            #expect(answer.reason.contains(hint), "\(answer.reason)")
            #expect(answer["line"]?.integer == place?.0)
            #expect(answer["column"]?.integer == place?.1)
            #expect(try await program.send(.get, "schema").text == before)
        }
    }

    @Test("A schema that is not UTF-8 is refused") func notUTF8() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            let answer = try await server.send(
                .put, "/admin/1/\(program.container)/development/schema",
                headers: [.authorization: "Bearer \(program.token ?? "")"], body: ByteBuffer(bytes: [0xFF, 0xFE, 0x44]))
            #expect(answer.status == 400 && answer.reason.contains("UTF-8"))
        }
    }

    @Test("A schema over a limit is refused with the number") func limits() async throws {
        try await TestServer.run {
            $0.limits.fieldsPerRecordType = 3
            $0.limits.schemaBytes = 1 << 20
        } _: { server in
            let program = try await server.makeOperator()
            let many = (0..<10_000).map { "RECORD TYPE T\($0) (a STRING);" }.joined(separator: "\n")
            let types = try await program.importing(many)
            #expect(types.status == 400 && types.reason.contains("1000"), "\(types.reason)")
            let long = try await program.importing(String(repeating: "-- filler\n", count: 110_000))
            #expect(long.status == 413 && long.reason.contains("1048576 bytes are allowed (limit.schemaBytes)"))
            let fields = try await program.importing("RECORD TYPE A (a STRING, b STRING, c STRING, d STRING);")
            #expect(fields.status == 400 && fields.reason.contains("'A' has 4 fields, at most 3"))
        }
    }

    /// All that is within the limits of types and fields is within that of bytes.
    @Test("A schema at the limits of types and fields is imported as it was exported") func wideSchema() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            let long = String(repeating: "x", count: 255)
            let fields = (0..<250).map { "f\($0) ASSET" }.joined(separator: ", ")
            try await program.importing((0..<16).map { "RECORD TYPE T\($0) (\(long) ASSET, \(fields));" }.joined())
            let text = try await program.send(.get, "schema").text
            #expect(text.utf8.count > 1 << 20)
            let again = try await program.send(.put, "schema", body: text)
            #expect(again.status == 200 && again.text.isEmpty, "\(again.reason)")
        }
    }

    /// An agreed loss of data does not extend to data that came after the agreement.
    @Test("An import with a stale tag changes nothing") func staleImport() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            try await program.importing(Self.note)
            let planned = try await program.importing("", dryRun: true)
            let tag = try #require(planned.headers[.eTag])
            #expect(try await program.send(.get, "schema").headers[.eTag] == tag)
            let app = try await server.signIn("mei@example.com")
            try await app.save("new", type: "Other")
            for (method, path) in [(HTTPRequest.Method.put, "schema"), (.post, "schema/reset")] {
                let refused = try await program.send(method, path, body: "DEFINE SCHEMA", ifMatch: tag)
                #expect(refused.status == 409 && refused.code == "CONFLICT")
                #expect(refused.reason.contains("has changed since you compared it"))
            }
            #expect(try await program.send(.get, "schema").text.contains("RECORD TYPE Other ("))
            let now = try await program.importing("", dryRun: true)
            #expect(now.text == "- RECORD TYPE Note\n- RECORD TYPE Other\n")
            let done = try await program.send(.put, "schema", body: "DEFINE SCHEMA", ifMatch: now.headers[.eTag])
            #expect(done.status == 200 && done.text == now.text && done.headers[.eTag] == nil)
            for wanted in ["no tag", "\"\"", "W/\(tag)"] {
                let answer = try await program.send(.put, "schema", body: "DEFINE SCHEMA", ifMatch: wanted)
                #expect(answer.status == 409)
            }
            #expect(try await program.send(.put, "schema", body: "DEFINE SCHEMA", ifMatch: "*").status == 200)
        }
    }

    @Test("A deployment with a stale tag of production changes nothing") func staleDeployment() async throws {
        try await TestServer.run(dev: false) { server in
            let program = try await server.makeOperator()
            try await program.importing(Self.note)
            let tag = try await program.send(.post, "schema/deploy?dryRun=true", in: "production").headers[.eTag]
            #expect(try await program.send(.post, "schema/deploy", in: "production", ifMatch: tag).status == 200)
            #expect(try await program.send(.post, "schema/deploy", in: "production", ifMatch: tag).status == 409)
        }
    }

    @Test("A schema is deployed from development to production") func deployment() async throws {
        try await TestServer.run(dev: false) { server in
            let program = try await server.makeOperator()
            try await program.importing(Self.note)
            let planned = try await program.send(.post, "schema/deploy?dryRun=true", in: "production")
            #expect(planned.text.contains("+ RECORD TYPE Note\n"))
            #expect(try await !program.send(.get, "schema", in: "production").text.contains("Note"))
            let deployed = try await program.send(.post, "schema/deploy", in: "production")
            #expect(deployed.text == planned.text)
            #expect(try await program.send(.get, "schema", in: "production").text.contains("RECORD TYPE Note ("))
            #expect(try await program.send(.post, "schema/deploy", in: "production").text.isEmpty)
        }
    }

    @Test("An import that would remove a production field is refused") func removal() async throws {
        try await TestServer.run(dev: false) { server in
            let program = try await server.makeOperator()
            try await program.importing(Self.note)
            _ = try await program.send(.post, "schema/deploy", in: "production")
            let refused = try await program.importing("RECORD TYPE Note (other STRING);")
            #expect(refused.status == 400)
            #expect(refused.reason.contains("field 'title' of record type 'Note' is in production"))
            #expect(refused["line"] == nil)
            #expect(try await program.send(.get, "schema").text.contains("title STRING") == false)
            #expect(try await program.send(.get, "schema").text.contains("title           STRING"))
        }
    }

    @Test("Import and reset are for development, deploy for production") func environments() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            for (method, path, environment) in [
                (HTTPRequest.Method.put, "schema", "production"), (.post, "schema/deploy", "development"),
                (.post, "schema/reset", "production"),
            ] {
                let answer = try await program.send(method, path, in: environment, body: "DEFINE SCHEMA")
                #expect(answer.status == 400 && answer.reason.hasPrefix("environment:"), "\(path)")
            }
        }
    }

    @Test("A reset gives development the schema of production and no records") func reset() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            try await program.importing(Self.note)
            let planned = try await program.send(.post, "schema/reset?dryRun=true", accept: "application/json")
            #expect(planned["changes.0.text"] == "- RECORD TYPE Note\n")
            #expect(planned["changes.0.losesData"] == true)
            #expect(try await program.send(.get, "schema").text.contains("Note"))
            #expect(try await program.send(.post, "schema/reset").text == "- RECORD TYPE Note\n")
            #expect(try await !program.send(.get, "schema").text.contains("Note"))
        }
    }

    @Test("Without a build the list of index builds is empty") func noBuild() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            #expect(try await program.send(.get, "schema/builds")["builds"] == .array([]))
        }
    }
}
