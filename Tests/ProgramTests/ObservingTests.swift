import CloudHTTP
import CloudWire
import CloudModel
import CloudServer
import Foundation
import TestProcess
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Commands by which an operator looks at requests.
@Suite(.timeLimit(.minutes(20)))
struct ObservingTests {
    let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    private static let zones = "/database/1/c/development/private/zones/list?ckAPIToken=\(DevelopmentToken.text)"

    @Test("'why' explains an answer by its uuid, and 'logs' lists it")
    func whyAndLogs() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let refused = try await server.get(Self.zones)
        #expect(refused.response.statusCode == 421)
        let uuid = try #require(try JSONParser.parse(Array(refused.body)).object?["uuid"]?.string)
        let why = try await cumulus("why", uuid)
        #expect(why.status == 0, "\(why.errors)")
        #expect(why.output.hasPrefix("GET private/zones/list 421 "))
        #expect(why.output.contains("STOPPED  credentials: nobody is signed in"))
        let json = try await cumulus("why", uuid, "--json").json
        #expect(json.object?["uuid"]?.string == uuid)
        let logs = try await cumulus("logs", "--code", "authentication_required", "--last", "5")
        #expect(logs.output.split(separator: "\n").count == 1 && logs.output.contains(uuid), "\(logs.errors)")
        #expect(try await cumulus("logs", "--slower", "1000s").output == "")
        for bad in [
            ["logs", "--slower", "soon"], ["logs", "--code", "HARD"], ["why", "nothing"], ["logs", "--last", "0"],
        ] {
            let outcome = try await cumulus.run(bad)
            #expect(outcome.status == 1 && outcome.errors.hasPrefix("Error: "), "\(bad) \(outcome.errors)")
        }
        #expect(await server.stop() == 0)
        let without = try await cumulus("why", uuid)
        #expect(without.status == 1 && without.errors.contains("no server runs on"))
    }

    static let schema = #"DEFINE SCHEMA RECORD TYPE Note ( title STRING QUERYABLE, GRANT READ TO "_world" );"#
    private static let misspelt = #"""
        {"query": {"recordType": "Note", "filterBy": [
            {"fieldName": "titel", "comparator": "EQUALS", "fieldValue": {"value": "secret"}}]}}
        """#

    @Test("A development server's log and 'why' show the sentence that the client got")
    func sentences() async throws {
        let log = try cumulus.file("log", "")
        let server = try await RunningServer(cumulus, "--dev", errors: try FileHandle(forWritingTo: log))
        _ = try await DevelopmentPerson(server).create(["first"], text: "")
        let answer = try await server.post(
            "/database/1/c/development/public/records/query?ckAPIToken=\(DevelopmentToken.text)",
            Data(Self.misspelt.utf8))
        let error = try #require(try JSONParser.parse(Array(answer.body)).object)
        let (uuid, reason) = (try #require(error["uuid"]?.string), try #require(error["reason"]?.string))
        #expect(reason == "Unknown field 'titel' in record type 'Note'")
        let why = try await cumulus("why", uuid)
        #expect(why.output.contains("BAD_REQUEST \(reason)"), "\(why.output)\(why.errors)")
        #expect(try await cumulus("logs", "--refused").output.contains(reason))
        #expect(try String(contentsOf: log, encoding: .utf8).contains("BAD_REQUEST \(reason)"))
        #expect(await server.stop() == 0)
    }

    @Test("A production server keeps client-supplied names out of its records")
    func sentencesWithoutValues() async throws {
        #expect(try await cumulus("container", "create", "c").status == 0)
        let schema = try cumulus.file("a.ckdb", Self.schema).path()
        #expect(try await cumulus("schema", "import", "c", "--file", schema).status == 0)
        let token = try await cumulus(
            "token", "create", "--container", "c", "--environment", "development", "--name", "t"
        ).output.trimmingCharacters(in: .whitespacesAndNewlines)
        let log = try cumulus.file("log", "")
        let server = try await RunningServer(cumulus, errors: try FileHandle(forWritingTo: log))
        let answer = try await server.post(
            "/database/1/c/development/public/records/query?ckAPIToken=\(token)",
            Data(Self.misspelt.utf8))
        let uuid = try #require(try JSONParser.parse(Array(answer.body)).object?["uuid"]?.string)
        let why = try await cumulus("why", uuid)
        #expect(why.output.contains("Unknown field '…' in record type 'Note'"), "\(why.output)\(why.errors)")
        let written = try String(contentsOf: log, encoding: .utf8) + why.output
        #expect(!written.contains("titel") && !written.contains("secret"), "\(written)")
        #expect(await server.stop() == 0)
    }

    @Test("'logs --follow' prints each request as it is answered")
    func follow() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let pipe = Pipe()
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        let child = try cumulus.start(
            ["logs", "--follow", "--refused"],
            streams: (nothing.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor, nothing.fileDescriptor))
        try pipe.fileHandleForWriting.close()
        var text = ""
        // It begins with the last requests, so none is missed whenever it starts.
        for number in 1...3 {
            _ = try await server.get("/nothing")
            while text.split(separator: "\n").count < number {
                let data = pipe.fileHandleForReading.availableData
                try #require(!data.isEmpty)
                text += String(decoding: data, as: UTF8.self)
            }
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.contains("GET unknown 404") })
        child.send(SIGINT)
        _ = await child.end()
        #expect(await server.stop() == 0)
    }

    @Test("Each line of a JSON log is an object, and a refused request has one")
    func jsonLog() async throws {
        let log = try cumulus.file("log", "")
        let server = try await RunningServer(
            cumulus, environment: ["CUMULUS_LOG_FORMAT": "json"], errors: try FileHandle(forWritingTo: log))
        _ = try await server.get("/nothing?planted")
        #expect(await server.stop() == 0)
        let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
        let objects = try lines.map { try #require(try JSONParser.parse(Array($0.utf8)).object) }
        let line = try #require(objects.first { $0["message"]?.string?.hasPrefix("GET unknown 404") == true })
        #expect(line["level"]?.string == "info" && line["request"]?.string != nil)
        #expect(!lines.joined().contains("planted"))
    }

    @Test("At debug level a start logs few lines")
    func debugStart() async throws {
        let log = try cumulus.file("log", "")
        let server = try await RunningServer(
            cumulus, "--dev", environment: ["CUMULUS_LOG_LEVEL": "debug"], errors: try FileHandle(forWritingTo: log))
        _ = try await server.get("/health")
        let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
        #expect(lines.count < 50, "\(lines.joined(separator: "\n"))")
        #expect(await server.stop() == 0)
    }

    @Test("Request records are written to daily files that only their owner can read")
    func files() async throws {
        let server = try await RunningServer(cumulus, "--dev", environment: ["CUMULUS_REQUESTS_FILE_DAYS": "2"])
        for _ in 0..<20 { _ = try await server.get("/nothing") }
        #expect(await server.stop() == 0)
        let folder = cumulus.data + "/requests"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        let file = try #require(files.first)
        #expect(files.count <= 2 && file.wholeMatch(of: #/\d{4}-\d\d-\d\d-000001\.jsonl/#) != nil)
        let records = try files.flatMap {
            try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8).split(separator: "\n")
        }
        #expect(records.count == 20)
        for record in records {
            #expect(try JSONParser.parse(Array(record.utf8)).object?["route"]?.string == "unknown")
        }
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("Metrics have an address of their own, in a format that promtool accepts")
    func metrics() async throws {
        let port = try FreePorts.one()
        let server = try await RunningServer(
            cumulus, "--dev", environment: ["CUMULUS_METRICS_ADDRESS": "127.0.0.1:\(port)"])
        _ = try await server.get(Self.zones)
        _ = try await server.get("/nothing")
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/metrics"))
        let (before, _) = try await URLSession.shared.data(from: url)
        #expect(!String(decoding: before, as: UTF8.self).contains(MetricCatalog.backupAge))
        let backups = cumulus.folder.appending(path: "backups").path()
        #expect(try await cumulus("backup", "create", "--to", backups).status == 0)
        let (data, _) = try await URLSession.shared.data(from: url)
        let text = String(decoding: data, as: UTF8.self)
        for name in MetricCatalog.help.keys { #expect(text.contains("# HELP \(name) "), "\(name)") }
        #expect(text.contains(#"cumulus_requests_total{code="AUTHENTICATION_REQUIRED",route="zones/list"} 1"#))
        var head = URLRequest(url: url)
        head.httpMethod = "HEAD"
        let (nothing, answer) = try await URLSession.shared.data(for: head)
        #expect(nothing.isEmpty && (answer as? HTTPURLResponse)?.statusCode == 200)
        #expect(try await server.status("/metrics") == 404)
        let file = try cumulus.file("metrics", text).path()
        let checked = try await cumulus.bash("promtool check metrics < '\(file)'")
        #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
        #expect(await server.stop() == 0)
    }

    @Test("promtool accepts the alert rules")
    func alerts() async throws {
        let rules = DocumentPage.root.appending(path: "docs/metrics/alerts.yml").path()
        let checked = try await cumulus.bash("promtool check rules '\(rules)'")
        #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
    }

    @Test("Metrics are offered on this machine only, unless a setting says otherwise")
    func remoteMetrics() async throws {
        let refused = try await cumulus(
            "serve", "--port", "0", environment: ["CUMULUS_METRICS_ADDRESS": "0.0.0.0:9464"])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("metrics.address") && refused.errors.contains("metrics.allowRemote"))
        let malformed = try await cumulus("settings", environment: ["CUMULUS_METRICS_ADDRESS": "everywhere"])
        #expect(malformed.status == 1 && malformed.errors.contains("a host and a port"))
    }
}
