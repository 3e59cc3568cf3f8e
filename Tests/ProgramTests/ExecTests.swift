import CloudHTTP
import CloudModel
import CloudServer
import Foundation
import TestProcess
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `cumulus exec`: what a command is given, how it ends, and what is left.
@Suite(.timeLimit(.minutes(20)))
struct ExecTests {
    let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    /// An environment that sends the program's temporary folders there.
    private var temporary: [String: String] { ["TMPDIR": cumulus.folder.path()] }

    private func exec(_ options: [String] = [], _ script: String) async throws -> Program.Outcome {
        try await cumulus.run(
            ["exec"] + options + ["--", "/bin/sh", "-c", script], environment: temporary)
    }

    /// The folders of data that are left.
    private func left() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: cumulus.folder.path())
            .filter { $0.hasPrefix("cumulus-") || $0 == "data" }
    }

    private static let list =
        #"curl -s "$CUMULUS_ORIGIN/database/1/$CUMULUS_CONTAINER/development/public"#
        + #"/zones/list?ckAPIToken=$CUMULUS_API_TOKEN""#

    @Test("exec passes its command the server's address and leaves nothing behind")
    func command() async throws {
        let outcome = try await exec([], Self.list + "; echo; echo $CUMULUS_CONTAINER")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.contains(#""zones""#) && outcome.output.hasSuffix("iCloud.com.example.app\n"))
        #expect(try outcome.errors == "" && left() == [])
    }

    @Test("exec prints refused requests and ends with the command's exit code")
    func exitCode() async throws {
        let outcome = try await exec(["--container", "c"], "curl -s $CUMULUS_ORIGIN/nothing; exit 7")
        #expect(outcome.status == 7)
        #expect(outcome.errors.hasPrefix("cumulus: 1 request was refused, in whole or in part\n  GET unknown 404"))
        #expect(try left() == [])
    }

    @Test("exec prints the error sentence that the client got")
    func refusals() async throws {
        let query =
            #"{"query": {"recordType": "Note", "filterBy": [{"fieldName": "titel", "comparator": "EQUALS", "#
            + #""fieldValue": {"value": "x"}}]}}"#
        let schema = try cumulus.file("a.ckdb", ObservingTests.schema).path()
        let outcome = try await exec(
            ["--schema", schema], Self.list.replacing("zones/list", with: "records/query") + " -d '\(query)'")
        #expect(outcome.errors.contains("BAD_REQUEST Unknown field 'titel' in record type 'Note'"), "\(outcome)")
    }

    @Test("exec plants the seed, applies the faults and exports at the end")
    func seedAndFaults() async throws {
        let folder = cumulus.folder
        let (seed, faults) = (folder.appending(path: "seed.jsonl"), folder.appending(path: "faults.json"))
        try Data(#"{"record": {"recordType": "Note", "recordName": "n1", "fields": {"title": "Milk"}}}"#.utf8)
            .write(to: seed)
        try Data(#"[{"route": "zones/list", "error": "THROTTLED"}]"#.utf8).write(to: faults)
        let target = folder.appending(path: "end").path()
        let options = ["--seed", seed.path(), "--faults", faults.path(), "--export", target]
        let outcome = try await exec(options, Self.list)
        #expect(outcome.status == 0 && outcome.output.contains("THROTTLED"), "\(outcome)")
        let records = try String(contentsOfFile: target + "/records-00001.jsonl", encoding: .utf8)
        #expect(records.contains("n1") && records.contains("Milk"))
        let again = try await exec(["--seed", target], Self.list.replacing("zones/list", with: "records/lookup"))
        #expect(again.status == 0, "\(again)")
        let taken = try await exec(options, "true")
        #expect(taken.status == 1 && taken.errors.contains("--export: \(target) is there already"), "\(taken)")
        #expect(try left() == [])
    }

    @Test("A mistake in a seed or a fault is reported with its position") func mistakes() async throws {
        let file = cumulus.folder.appending(path: "file")
        for (text, option, said) in [
            ("\n{}", "--seed", "file, line 2: must have one of person, zone and record"),
            (#"[{"latency": 1}, {"error": "TIRED"}]"#, "--faults", "file: fault 2: error"),
            ("{}", "--faults", "file must be a JSON array"),
        ] {
            try Data(text.utf8).write(to: file)
            let outcome = try await exec([option, file.path()], "true")
            #expect(outcome.status == 1 && outcome.errors.contains(said), "\(outcome)")
        }
        #expect(try left() == [])
    }

    @Test("A command that a signal ends has the exit code of shells") func signalled() async throws {
        #expect(try await exec([], "kill -9 $$").status == 137)
        let missing = try await cumulus.run(["exec", "--", "/no/such/command"], environment: temporary)
        #expect(missing.status == 127 && missing.errors.contains("cannot run /no/such/command"))
        #expect(try left() == [])
    }

    @Test("exec ends processes that its command leaves behind", arguments: ["", "setsid "])
    func children(starter: String) async throws {
        let file = cumulus.folder.appending(path: "pid").path()
        let outcome = try await exec([], "\(starter)sleep 1000 & echo $! > '\(file)'")
        #expect(outcome.status == 0)
        let pid = try #require(pid_t(try String(contentsOfFile: file, encoding: .utf8).dropLast()))
        // One that nobody has reaped yet is dead as well.
        let state = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        #expect(state == "" || state.contains(") Z"))
    }

    @Test("A command that ignores the signal is killed, and no files are left") func killed() async throws {
        let pipe = Pipe()
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        let child = try cumulus.start(
            ["exec", "--", "/bin/sh", "-c", "trap '' TERM INT; echo ready; while :; do sleep 1; done"],
            environment: temporary,
            streams: (
                nothing.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor, nothing.fileDescriptor
            ))
        try pipe.fileHandleForWriting.close()
        #expect(pipe.fileHandleForReading.availableData == Data("ready\n".utf8))
        child.send(SIGTERM)
        #expect(await child.end() == 137)
        #expect(try left() == [])
    }

    @Test("The data of a failed command is kept where --keep-on-failure says") func keptData() async throws {
        let kept = cumulus.folder.appending(path: "kept").path()
        #expect(try await exec(["--keep-on-failure", kept], Self.list).status == 0)
        #expect(!FileManager.default.fileExists(atPath: kept))
        let failed = try await exec(["--keep-on-failure", kept], Self.list + "; exit 3")
        #expect(failed.status == 3 && failed.errors.contains("the data is kept in \(kept)"))
        #expect(try await cumulus("container", "list", "--data", kept).output.contains("iCloud.com.example.app"))
        let again = try await exec(["--keep-on-failure", kept], "true")
        #expect(again.status == 1 && again.errors.contains("is not empty"))
    }

    @Test("Schema and seed are loaded before the command runs") func schemaAndSeed() async throws {
        let schema = try cumulus.file("app.ckdb", SchemaCommandTests.schema).path()
        let query =
            #"curl -s "$CUMULUS_ORIGIN/database/1/$CUMULUS_CONTAINER/development/public"#
            + #"/records/query?ckAPIToken=$CUMULUS_API_TOKEN" -d '{"query": {"recordType": "Note"}}'"#
        let outcome = try await exec(["--schema", schema], query)
        #expect(outcome.output.contains(#""records":[]"#), "\(outcome)")
        let wrong = try cumulus.file("wrong.ckdb", "DEFINE SCHEMA RECORD TAPE").path()
        let refused = try await exec(["--schema", wrong], "echo never")
        #expect(refused.status == 1 && refused.output == "" && refused.errors.contains("wrong.ckdb:1:"))
        let missing = try await exec(["--seed", cumulus.folder.appending(path: "none").path()], "echo never")
        #expect(missing.status == 1 && missing.output == "")
        #expect(try left() == [])
    }

    @Test("exec --seed accepts the folder of an export") func exportFolder() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["one", "two"], text: "hello").response.statusCode == 200)
        let folder = cumulus.folder.appending(path: "out").path()
        #expect(try await cumulus("export", "c", "--environment", "development", "--to", folder).status == 0)
        #expect(await server.stop() == 0)
        let kept = cumulus.folder.appending(path: "kept").path()
        let options = ["--container", "copy", "--seed", folder, "--keep-on-failure", kept]
        #expect(try await exec(options, "exit 1").status == 1)
        let back = cumulus.folder.appending(path: "back").path()
        let exported = try await cumulus(
            "export", "copy", "--environment", "development", "--to", back, "--data", kept)
        #expect(exported.status == 0, "\(exported.errors)")
        let records = try [folder, back].map {
            try Data(contentsOf: URL(filePath: $0).appending(path: "records-00001.jsonl"))
        }
        #expect(records[0] == records[1])
    }

    @Test("The clock begins at a given time, which must lie ahead") func clock() async throws {
        let begun = try await exec(["--clock", "2100-01-01T00:00:00Z"], "curl -s $CUMULUS_ORIGIN/emulator/1/clock")
        #expect(try #require(try begun.json.object?["now"]?.integer) >= 4_102_444_800_000)
        let over = try await exec(["--clock", "2001-01-01T00:00:00Z"], "echo never")
        #expect(over.status == 1 && over.output == "" && over.errors.contains("never goes back"))
        let wrong = try await exec(["--clock", "tomorrow"], "echo never")
        #expect(wrong.status == 1 && wrong.output == "" && wrong.errors.contains("--clock must be a time"))
    }

    @Test("exec refuses a setting that names another location for assets")
    func assetPlace() async throws {
        let outcome = try await cumulus.run(
            ["exec", "--", "true"],
            environment: temporary.merging(["CUMULUS_ASSETS_URL": "file:///tmp/elsewhere"]) { $1 })
        #expect(outcome.status == 1 && outcome.errors.contains("CUMULUS_ASSETS_URL"))
        #expect(try left() == [])
    }

    @Test("cumulus run by exec's command accepts the variables that exec sets")
    func nestedServer() async throws {
        let program = Program.executable.path()
        let outcome = try await exec([], "'\(program)' settings | head -1")
        #expect(outcome.status == 0 && !outcome.errors.contains("there is no setting"))
    }
}
