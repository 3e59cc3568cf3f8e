import CloudHTTP
import Foundation
import TestProcess
import Testing

/// `cumulus records`, as a person's app and as an operator.
@Suite(.timeLimit(.minutes(20)))
struct RecordsCommandTests {
    let cumulus: Program

    init() throws { cumulus = try Program() }

    /// Runs a script beside a server, with the container in `$c` and the program as `cumulus`.
    private func exec(_ script: String) async throws -> Program.Outcome {
        let program = Program.executable.path()
        let start = "cumulus() { '\(program)' \"$@\"; }\nc=$CUMULUS_CONTAINER\n"
        return try await cumulus.run(
            ["exec", "--", "/bin/bash", "-c", start + script], environment: ["TMPDIR": cumulus.folder.path()])
    }

    private func lines(_ script: String) async throws -> [String] {
        let outcome = try await exec(script)
        #expect(outcome.status == 0, "\(outcome)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test("A person's records are created, changed, found and deleted, unseen by other people")
    func person() async throws {
        let lines = try await lines(
            #"""
            mei="--as mei@example.com"
            cumulus records create $c $mei --type Note --name n1 --fields '{"title": "Milk", "stars": 3}' >/dev/null
            cumulus records update $c n1 $mei --fields '{"stars": {"value": 5}, "title": null}' | jq -c '.fields.stars.value, .fields.title'
            cumulus records create $c $mei --type Note --fields '{"stars": 1}' >/dev/null
            cumulus records query $c $mei --type Note --filter 'stars >= 1' --sort 'stars DESC' | jq .fields.stars.value
            cumulus records query $c $mei --type Note --filter 'stars IN [5, 6]' 'stars < 9' --field none | jq -c '[.recordName, .fields]'
            cumulus records get $c n1 --as tom@example.com | jq -r .serverErrorCode
            cumulus records delete $c n1 $mei | jq .deleted
            cumulus records get $c n1 $mei --json | jq -r '.records[0].serverErrorCode'
            """#)
        #expect(lines == ["5", "null", "5", "1", #"["n1",{}]"#, "NOT_FOUND", "true", "NOT_FOUND"])
    }

    @Test("Times, locations and words are found as they are typed")
    func typedValues() async throws {
        let lines = try await lines(
            #"""
            cumulus records import $c - --as mei@example.com <<'LINES'
            {"recordType": "Walk", "recordName": "w1", "fields": {"on": {"value": 1893456000000, "type": "TIMESTAMP"}, "at": {"value": {"latitude": 48.1, "longitude": 11.6}}, "number": "7", "tags": ["hot", "long"]}}

            {"recordType": "Walk", "recordName": "w2", "fields": {"on": {"value": "2035-05-01", "type": "timestampType"}, "number": "8"}}
            LINES
            for filter in 'on > 2031-01-01' 'on == 2030-01-01T00:00:00Z' 'at NEAR 48.1,11.6,1000' 'number == stringType:7' \
                'number BEGINS_WITH "8"' 'tags LIST_CONTAINS hot'; do
                cumulus records query $c --as mei@example.com --type Walk --filter "$filter" | jq -r .recordName
            done
            """#)
        #expect(lines == ["2 records were saved.", "w2", "w1", "w1", "w1", "w2", "w1"])
    }

    @Test("An import reports refused records by line and saves the others")
    func importedLines() async throws {
        let outcome = try await exec(
            #"""
            cumulus records create $c --as mei@example.com --type Note --fields '{"stars": 1}' >/dev/null
            printf '%s\n' '{"recordType": "Note", "recordName": "n1", "fields": {"stars": 2}}' '' \
                '{"recordType": "Note", "recordName": "n2", "fields": {"stars": "many"}}' >"$TMPDIR/lines"
            cumulus records import $c "$TMPDIR/lines" --as mei@example.com
            """#)
        #expect(
            outcome.status == 1 && outcome.output.hasPrefix("1 record was saved.\nline 3: BAD_REQUEST"), "\(outcome)")
        let broken = try await exec(#"echo '{"fields": {}}' | cumulus records import $c - --as mei@example.com"#)
        #expect(broken.status == 1 && broken.errors.contains("line 1: must be a record such as"), "\(broken)")
    }

    @Test(
        "Incompatible options are refused with the valid ones",
        arguments: [
            ["query", "c", "--type", "T", "--filter", "stars >"]: "a filter is a field, a comparator and a value",
            ["query", "c", "--type", "T", "--sort", "stars UP"]: "a sort is a field, with ASC or DESC",
            ["query", "c"]: "name a --type",
            ["query", "c", "--type", "T", "--as", "a@b.c", "--user", "x"]: "either --user or --as",
            ["get", "c", "n", "--database", "private"]: "needs --user or --as",
            ["create", "c", "--type", "T", "--fields", "5"]: "fields must be a JSON object",
            ["get", "c", "n", "--as", "a@b.c", "--server", "http://127.0.0.1:1"]: "does not answer",
            ["list", "c", "--type", "T", "--as", "a@b.c"]: "--as works with query",
        ] as [[String]: String])
    func refused(arguments: [String], said: String) async throws {
        #expect(try await cumulus("container", "create", "c").status == 0)
        let outcome = try await cumulus.run(["records"] + arguments + ["--data", cumulus.data])
        #expect(outcome.status != 0 && outcome.errors.contains(said), "\(outcome)")
    }

    @Test("Commands go through a development server whose clock is days ahead")
    func clockAhead() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let script = """
            curl -s -X PUT \(server.origin)/emulator/1/clock -d '{"advance": 200000}' >/dev/null
            curl -s \(server.origin)/auth/dev/session -d \
                '{"container": "c", "environment": "development", "email": "mei@example.com"}' >/dev/null
            """
        #expect(try await cumulus.bash(script).status == 0)
        let exported = try await cumulus("schema", "export", "c")
        #expect(exported.status == 0 && exported.output.contains("DEFINE SCHEMA"), "\(exported)")
        #expect(await server.stop() == 0)
    }
}
