import CloudHTTP
import CloudModel
import Foundation
import TestProcess
import Testing

/// The commands of Apple's `cktool`, with its options, on the data folder and through a server.
@Suite(.timeLimit(.minutes(20)))
struct CKToolTests {
    private static let container = "iCloud.com.example.reports"
    private static let schema = """
        DEFINE SCHEMA
            RECORD TYPE Bakery (
                "___createTime" TIMESTAMP QUERYABLE SORTABLE, "___recordID" REFERENCE QUERYABLE,
                code STRING QUERYABLE SORTABLE, opened TIMESTAMP QUERYABLE SORTABLE, price DOUBLE QUERYABLE SORTABLE,
                seats INT64 QUERYABLE SORTABLE, words STRING SEARCHABLE, tags LIST<STRING> QUERYABLE, logo ASSET,
                covers LIST<ASSET>,
                GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
            );

        """
    private static let fields = """
        {"code": {"type": "stringType", "value": "2021-01-01"}, "price": {"type": "doubleType", "value": 4.6},
         "seats": {"type": "int64Type", "value": 12}, "opened": {"type": "timestampType", "value": "2021-05-04 21:12"},
         "words": {"type": "stringType", "value": "fresh rye bread"},
         "tags": {"type": "stringListType", "value": ["rye", "oat"]}}
        """

    private let cumulus: Program
    private let schemaFile: String

    init() throws {
        cumulus = try Program()
        schemaFile = try cumulus.file("bakery.ckdb", Self.schema).path()
    }

    private func tool(_ name: String, _ arguments: [String], in environment: String = "development") async throws
        -> Program.Outcome
    {
        let place = ["--team-id", "ABCDE12345", "--container-id", Self.container, "--environment", environment]
        return try await cumulus.run([name] + place + arguments + ["--data", cumulus.data])
    }

    private func records(_ name: String, _ arguments: [String]) async throws -> Program.Outcome {
        try await tool(name, ["--database-type", "public", "--record-type", "Bakery"] + arguments)
    }

    private func prepare() async throws {
        #expect(try await cumulus("container", "create", Self.container).status == 0)
        let imported = try await tool("import-schema", ["--validate", "--file", schemaFile])
        #expect(imported.status == 0, "\(imported)")
    }

    @Test("A schema is exported from either environment, and imported and reset in development only")
    func schemas() async throws {
        try await prepare()
        let bigger = try cumulus.file(
            "bigger.ckdb", Self.schema.replacing("logo ASSET", with: "later STRING, logo ASSET")
        ).path()
        let valid = try await tool("validate-schema", ["--file", bigger], in: "production")
        #expect(valid.status == 0 && valid.output.contains("+ RECORD TYPE Bakery"), "\(valid)")
        let refused = try await tool("import-schema", ["--file", bigger], in: "production")
        #expect(refused.status == 1 && refused.errors.contains("nothing was changed") && refused.output.isEmpty)
        let reset = try await tool("reset-schema", [], in: "production")
        #expect(reset.status == 1 && reset.errors.contains("nothing was changed"), "\(reset)")
        let inDevelopment = try await tool("export-schema", [])
        #expect(inDevelopment.output.contains("Bakery") && !inDevelopment.output.contains("later"))
        #expect(try await !tool("export-schema", [], in: "production").output.contains("Bakery"))
        #expect(try await cumulus("schema", "deploy", Self.container).status == 0)
        let same = try await tool("validate-schema", ["--file", schemaFile], in: "PRODUCTION")
        #expect(same.status == 0 && same.output.contains("production has it already"), "\(same)")
        let smaller = try cumulus.file("smaller.ckdb", Self.schema.replacing("logo ASSET,", with: "")).path()
        let loss = try await tool("validate-schema", ["--file", smaller], in: "production")
        #expect(loss.status == 1 && loss.errors.contains("'logo' of record type 'Bakery' is in production"), "\(loss)")
        let file = cumulus.folder.appending(path: "out.ckdb").path()
        #expect(try await tool("export-schema", ["--output-file", file], in: "production").status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("covers          LIST<ASSET>"))
        #expect(try await tool("reset-schema", []).status == 0)
    }

    @Test("Records of every field type are created, found by every filter, and deleted by filters")
    func records() async throws {
        try await prepare()
        #expect(try await records("create-record", ["--fields-json", Self.fields]).status == 0)
        #expect(
            try await records("create-record", ["--fields-json", #"{"seats": {"type": "int64Type", "value": 3}}"#])
                .status == 0)
        for filter in [
            "price > 4.50", "price == doubleType:4.6", "code == stringType:2021-01-01", "opened > 2021-01-01",
            "seats EQUALS 12", "seats NOT_EQUALS 3", "seats >= int64Type:12", "words CONTAINS_ALL_TOKENS rye bread",
            "words CONTAINS_ANY_TOKENS rye", "tags LIST_CONTAINS_ANY rye", #"tags LIST_CONTAINS_ANY ["oat", "x"]"#,
            "tags LIST_NOT_CONTAINS_ANY wheat",
        ] {
            let found = try await records("query-records", ["--filters", filter])
            #expect(found.status == 0 && found.output.contains("fresh rye"), "\(filter): \(found)")
        }
        let first = try await records("query-records", ["--limit", "1", "--sort-by", "seats", "DESC"])
        let page = try #require(first.json.object)
        #expect(page["records"]?.array?.count == 1 && first.output.contains("fresh rye"))
        let token = try #require(page["continuationToken"]?.string)
        let second = try await records(
            "query-records",
            ["--limit", "1", "--sort-by", "seats DESC", "--continuation-token", token, "--requested-fields", "seats"])
        let rest = try #require(second.json.object)
        #expect(rest["records"]?.array?.count == 1 && !rest.contains("continuationToken"), "\(second)")
        let shown = try await records("delete-records", ["--filters", "seats == 12", "--dry-run", "true"])
        #expect(try shown.status == 0 && shown.json.object?["records"]?.array?.count == 1, "\(shown)")
        let unasked = try await records("delete-records", ["--filters", "seats == 12"])
        #expect(
            unasked.status == 1 && unasked.errors.contains("1 record would be deleted, and none was"), "\(unasked)")
        let deleted = try await records("delete-records", ["--filters", "seats == 12", "--dry-run", "false"])
        #expect(deleted.status == 0 && deleted.output.contains(#""deleted":true"#), "\(deleted)")
        #expect(try await records("delete-records", ["--yes"]).status == 0)
        #expect(try await records("query-records", []).json.object?["records"]?.array?.isEmpty == true)
    }

    private static let assets = """
        {"logo": {"type": "assetType", "value": "LOGO"}, "covers": {"type": "assetListType", "value": ["ONE", "LOGO"]}}
        """

    @Test("Asset files are uploaded to the data folder, and through the server that uses it", arguments: [false, true])
    func files(isServed: Bool) async throws {
        try await prepare()
        let logo = try cumulus.file("logo.png", "the logo").path()
        let cover = try cumulus.file("one=two.jpg", "a cover").path()
        let server = isServed ? try await RunningServer(cumulus, "--dev") : nil
        let made = try await records(
            "create-record", ["--fields-json", Self.assets, "--asset-files", "LOGO=\(logo)", "ONE=\(cover)"])
        #expect(made.status == 0, "\(made)")
        let fields = try #require(made.json.object?["fields"]?.object)
        let sizes = fields["covers"]?.object?["value"]?.array?.map { $0.object?["size"]?.integer }
        #expect(fields["logo"]?.object?["value"]?.object?["size"]?.integer == 8 && sizes == [7, 8], "\(made)")
        for (files, reason) in [
            (["LOGO=\(logo)"], "no file for 'ONE'"),
            (["LOGO=\(logo)", "ONE=\(cover)", "X=\(logo)"], "no field has the asset 'X'"),
            (["LOGO=/nowhere"], "cannot read the file /nowhere"), (["LOGO"], "is KEY=path"),
        ] {
            let refused = try await records("create-record", ["--fields-json", Self.assets, "--asset-files"] + files)
            #expect(refused.status == 1 && refused.errors.contains(reason), "\(refused)")
        }
        if let server {
            #expect(await server.stop() == 0)
        } else {
            let checked = try await cumulus("check", Self.container, "--quiet")
            #expect(checked.status == 0, "\(checked)")
        }
    }

    @Test("A file over the limit is refused with the limit")
    func largeFile() async throws {
        try await prepare()
        let file = try cumulus.file("large", String(repeating: "x", count: 2000)).path()
        let refused = try await cumulus.run(
            [
                "create-record", "--container-id", Self.container, "--record-type", "Bakery", "--data", cumulus.data,
                "--fields-json", #"{"logo": {"type": "assetType", "value": "L"}}"#, "--asset-files", "L=\(file)",
            ],
            environment: ["CUMULUS_LIMIT_ASSET_BYTES": "1024"])
        #expect(refused.status == 1 && refused.errors.contains("at most 1024 bytes (limit.assetBytes)"), "\(refused)")
    }

    @Test("A person's records are managed in a development server")
    func person() async throws {
        let program = Program.executable.path()
        let script = #"""
            cumulus() { '\#(program)' "$@"; }
            where="--container-id $CUMULUS_CONTAINER --environment development --database-type private --as mei@example.com"
            printf 'the logo' >"$TMPDIR/logo"
            cumulus create-record $where --record-type Book --asset-files L="$TMPDIR/logo" --fields-json '{
                "title": {"type": "stringType", "value": "Treasure Island"}, "logo": {"type": "assetType", "value": "L"},
                "out": {"type": "timestampType", "value": "1883-11-14"}}' | jq '.fields.out.value, .fields.logo.value.size'
            echo '{"pages": {"type": "int64Type", "value": 304}}' | cumulus create-record $where --record-type Book --fields-stdin >/dev/null
            cumulus query-records -t x --team-id T $where --record-type Book --filters 'pages > 300' 'pages < 400' \
                --sort-by 'pages DESC' --requested-fields pages | jq -c '.records[0].fields.pages.value, .continuationToken'
            name=$(cumulus query-records $where --record-type Book --filters 'pages == 304' | jq -r '.records[0].recordName')
            cumulus delete-record $where --record-name "$name" -y | jq .deleted
            cumulus query-records $where --record-type Book | jq '.records | length'
            """#
        let outcome = try await cumulus.run(
            ["exec", "--", "/bin/bash", "-c", script], environment: ["TMPDIR": cumulus.folder.path()])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.output.split(separator: "\n") == ["-2718057600000", "8", "304", "null", "true", "1"], "\(outcome)")
    }

    @Test(
        "An unsupported ckTool command is refused with an alternative, and unknown options are refused",
        arguments: [
            (["save-token", "x", "--type", "user", "--method", "file"], 1, "cumulus management-token create"),
            (["get-teams", "-t", "x"], 1, "cumulus container list"),
            (["query-records", "--container-id", "c", "--record-type", "T", "--database-type", "private"], 64, "--as"),
            (["query-records", "--container-id", "c"], 64, "--record-type"),
            (
                ["query-records", "--container-id", "c", "--record-type", "T", "--environment", "staging"], 64,
                "environment"
            ),
            (["delete-records", "--container-id", "c", "--record-type", "T", "--dry-run", "maybe"], 64, "dry-run"),
            (["import-schema", "--container-id", "c", "--file", "x", "--force"], 64, "--force"),
        ])
    func refused(arguments: [String], status: Int32, said: String) async throws {
        let outcome = try await cumulus.run(arguments)
        #expect(outcome.status == status && outcome.errors.contains(said), "\(outcome)")
    }

    @Test("Removing a missing token is no error")
    func removedToken() async throws {
        let outcome = try await cumulus("remove-token", "--type", "user")
        #expect(outcome.status == 0 && outcome.output.contains("No tokens are saved"), "\(outcome)")
    }
}
