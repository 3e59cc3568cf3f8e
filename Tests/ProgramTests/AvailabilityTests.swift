import CloudAccounts
import CloudEngine
import CloudWire
import CloudModel
import CloudSQL
import CloudSQLite
import CloudServer
import Foundation
import Glibc
import TestCloud
import TestWire
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server while something that it needs is gone, used up or damaged.
@Suite(.timeLimit(.minutes(20)))
struct AvailabilityTests {
    private let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    private static func health(_ server: RunningServer, _ path: String = "/health") async throws -> (
        status: Int, kinds: [String], text: String
    ) {
        let answer = try await server.get(path)
        let json = try JSONParser.parse(Array(answer.body))
        let kinds = (json.object?["troubles"]?.array ?? []).compactMap { $0.object?["what"]?.string }
        return (answer.response.statusCode, kinds, String(decoding: answer.body, as: UTF8.self))
    }

    private var database: String { cumulus.data + "/containers/1-development.sqlite" }

    // MARK: Files

    @Test("A database deleted under a running server stops its writes, and the next start refuses it")
    func lostDatabase() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["a"], text: "x").response.statusCode == 200)
        #expect(try await Self.health(server).status == 200)
        #expect(try await Self.health(server, "/ready").status == 200)
        try FileManager.default.removeItem(atPath: database)
        #expect(try await person.create(["b"], text: "x").response.statusCode == 503)
        // What was found before is good for a second.
        let health = try await answer {
            try await Self.health(server)
        } until: {
            $0.status != 200
        }
        #expect(health.status == 503)
        #expect(health.kinds == ["missing"])
        #expect(health.text.contains("development of c has lost its database file"))
        #expect(try await person.send("zones/list", "{}").response.statusCode == 503)
        let asked = try await cumulus("health", "--url", server.origin)
        #expect(asked.status == 1)
        #expect(asked.errors.contains("development of c has lost its database file"))
        #expect(await server.stop() == 0)

        let next = try await RunningServer(cumulus, "--dev")
        let again = try await DevelopmentPerson(next)
        let refused = try await again.send("zones/list", "{}")
        #expect(refused.response.statusCode == 503)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("TRY_AGAIN_LATER"))
        #expect(!FileManager.default.fileExists(atPath: database))
        let busy = try await cumulus("container", "forget-data", "c", "--environment", "development", "--yes")
        #expect(busy.status == 1)
        #expect(await next.stop() == 0)

        let unsure = try await cumulus("container", "forget-data", "c", "--environment", "development")
        #expect(unsure.status == 1)
        #expect(unsure.errors.contains("--yes"))
        let forgotten = try await cumulus("container", "forget-data", "c", "--environment", "development", "--yes")
        #expect(forgotten.status == 0)
        let last = try await RunningServer(cumulus, "--dev")
        #expect(try await DevelopmentPerson(last).create(["a"], text: "x").response.statusCode == 200)
        #expect(await last.stop() == 0)
    }

    @Test("A data folder without its accounts is refused with a sentence")
    func lostAccounts() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["a"], text: "x").response.statusCode == 200)
        #expect(await server.stop() == 0)
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: cumulus.data + "/accounts.sqlite" + suffix)
        }
        let outcome = try await cumulus("serve", "--port", "0")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("1-development.sqlite"))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test("A data folder deleted under a running server fails /health and /ready, and is not recreated")
    func lostFolder() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let link = try await DevelopmentPerson(server).uploadLink()
        // Its trial of the assets' folder has ended then.
        #expect(try await Self.health(server, "/ready").status == 200)
        try FileManager.default.removeItem(atPath: cumulus.data)
        #expect(try await server.post(link, Data("pear".utf8)).response.statusCode >= 500)
        for path in ["/health", "/ready"] {
            // What was found before is good for a second.
            let answer = try await answer {
                try await Self.health(server, path)
            } until: {
                $0.status != 200
            }
            #expect(answer.status == 503)
            #expect(answer.kinds.contains("folderMissing"), "\(path): \(answer.text)")
        }
        #expect(!FileManager.default.fileExists(atPath: cumulus.data))
        await server.kill()
    }

    @Test("A full disk fails /ready until there is room")
    func fullDisk() async throws {
        let server = try await RunningServer(cumulus, "--dev", largestFile: 1 << 30)
        #expect(try await Self.health(server, "/ready").status == 200)
        try await server.limitFiles(to: 1)
        let ready = try await answer {
            try await Self.health(server, "/ready")
        } until: {
            $0.status != 200
        }
        #expect(ready.kinds.contains("notWritable"))
        try await server.limitFiles(to: 1 << 30)
        try await until { try await Self.health(server, "/ready").status != 503 }
        #expect(await server.stop() == 0)
    }

    // MARK: Checking

    @Test("cumulus check finds broken JSON and lost, short and altered assets, with and without a server")
    func check() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["a", "b"], text: "x").response.statusCode == 200)
        var links: [String] = []
        for (index, name) in ["short", "altered", "lost", "good"].enumerated() {
            let bytes = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) })
            let sent = try await server.post(try await person.uploadLink(), bytes)
            try await person.save(
                name, file: try #require(try JSONParser.parse(Array(sent.body)).object?["singleFile"]))
            links.append(try await person.downloadLink(name))
        }
        let beside = try await cumulus("check", "--quiet")
        #expect(beside.status == 0)
        #expect(beside.output.contains("All is well."))

        var found: [String] = []
        let folder = cumulus.data + "/containers/1-development-assets"
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder).map({ folder + "/" + $0 }) {
            guard let bytes = FileManager.default.contents(atPath: file), bytes.count == 5_000 else { continue }
            switch bytes[0] {
            case 0: try bytes.prefix(12).write(to: URL(filePath: file))
            case 1: try Data(count: 5_000).write(to: URL(filePath: file))
            case 2: try FileManager.default.removeItem(atPath: file)
            default: continue
            }
            found.append(file)
        }
        #expect(found.count == 3)
        let path = String(links[0].dropFirst(server.origin.count))
        #expect(try await server.status(path) == 404)
        #expect(try await server.status(String(links[3].dropFirst(server.origin.count))) == 200)
        let broken = try await cumulus("check", "--quiet", "--json")
        #expect(broken.status == 1)
        let problems = (try broken.json.object?["problems"]?.array ?? []).compactMap(\.string)
        #expect(problems.count == 3)
        for words in ["it has 12 of 5000 bytes", "its checksum is wrong", "it is missing"] {
            #expect(problems.contains { $0.hasPrefix("development of c: asset ") && $0.hasSuffix(words) })
        }
        #expect(await server.stop() == 0)

        try Self.sql(database, "UPDATE records SET body = CAST('{\"a\":' AS BLOB) WHERE name = 'a'")
        let after = try await cumulus("check", "c", "--environment", "development", "--quiet")
        #expect(after.status == 1)
        #expect(after.output.contains("record 'a'"))
        #expect(after.output.contains("Problems: 4."))
    }

    private static func sql(_ path: String, _ text: String) throws {
        let database = try SQLiteEngine().opener.openForWriting(path)
        try database.write { try $0.script(text) }
        try database.close()
    }

    // MARK: Descriptors

    @Test("1,200 connections with 1,024 descriptors are refused, and the server continues")
    func usedUpDescriptors() async throws {
        try Self.raiseOwnLimit(to: 4_096)
        let server = try await RunningServer(cumulus, "--dev", descriptors: 1_024)
        let port = try server.port
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["a"], text: "x").response.statusCode == 200)
        let request = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        var (answered, refused): ([Wire], Int) = ([], 0)
        var waiting: [Wire] = []
        for _ in 0..<1_200 {
            let wire = try Wire(port: port, seconds: 100)
            try await wire.send(request)
            waiting.append(wire)
        }
        for wire in waiting {
            // The server accepts waiting connections after it has turned others away.
            let answer = try await wire.readAnswer()
            if answer.head.hasPrefix("HTTP/1.1 200") {
                answered.append(wire)
            } else {
                #expect(answer.head.hasPrefix("HTTP/1.1 503"))
                #expect(answer.head.lowercased().contains("retry-after: 5"))
                #expect(answer.body.contains("the most there may be"))
                refused += 1
            }
        }
        #expect(answered.count > 400)
        #expect(refused > 200)
        #expect(try server.openDescriptors < 1_024)
        // Accepted connections still get answers.
        let last = try #require(answered.last)
        try await last.send(request)
        #expect(try await last.readAnswer().head.hasPrefix("HTTP/1.1 200"))
        answered = []
        waiting = []
        // It takes a moment until the server has seen that they are gone.
        try await until { try await person.send("zones/list", "{}").response.statusCode != 503 }
        #expect(try await person.create(["b"], text: "x").response.statusCode == 200)
        #expect(await server.stop() == 0)
    }

    @Test("1,000 containers are served with 512 descriptors")
    func manyContainers() async throws {
        let count = 1_000
        let first = try await RunningServer(cumulus, "--dev")
        #expect(try await first.status(Self.zones(of: 0)) == 200)
        #expect(await first.stop() == 0)
        // Laid out once and copied, since that is not what is tried here.
        let folder = try DataFolder(path: cumulus.data, engine: SQLiteEngine())
        let accounts = try AccountStore(folder: folder)
        for number in 1..<count {
            let container = try await accounts.containers.create(name: "c\(number)")
            try FileManager.default.copyItem(
                atPath: folder.recordsFile(container: 1, environment: .development),
                toPath: folder.recordsFile(container: container.id, environment: .development))
        }
        try accounts.close()

        // On a busy machine a lane of this process may rest longer than the server lets a connection rest.
        let server = try await RunningServer(
            cumulus, "--dev", environment: ["CUMULUS_IDLE_TIME": "3600"], descriptors: 512)
        let port = try server.port
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<4 {
                group.addTask {
                    var (wire, again) = (try Wire(port: port), 0)
                    var number = lane
                    while number < count {
                        let answer: (head: String, body: String)
                        do {
                            try await wire.send("GET \(Self.zones(of: number)) HTTP/1.1\r\nHost: a\r\n\r\n")
                            answer = try await wire.readAnswer()
                        } catch let failure as Wire.Failure where again < 2 && failure.what == "closed after " {
                            // A connection that rests may be closed at any time, and clients ask again.
                            (wire, again) = (try Wire(port: port), again + 1)
                            continue
                        }
                        #expect(answer.head.hasPrefix("HTTP/1.1 200"), "\(number): \(answer.body)")
                        if number % 100 == 0 { #expect(try server.openDescriptors < 300) }
                        number += 4
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await Self.health(server).status == 200)
        #expect(await server.stop() == 0)
    }

    private static func zones(of number: Int) -> String {
        "/database/1/c\(number)/development/public/zones/list?ckAPIToken=\(DevelopmentToken.text)"
    }

    private static func raiseOwnLimit(to count: UInt) throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < count else { return }
        limit.rlim_cur = min(count, limit.rlim_max)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    }

    // MARK: Sentences

    @Test("A taken port, a foreign address and an impossible folder are each reported in one sentence")
    func sentences() async throws {
        let server = try await RunningServer(cumulus)
        let port = try server.port
        let elsewhere = ["CUMULUS_DATA": cumulus.data + "2"]
        let taken = try await cumulus("serve", "--port", "\(port)", environment: elsewhere)
        #expect(taken.status == 1)
        #expect(
            taken.errors == "Error: port \(port) of 127.0.0.1 is taken by another program; name another with --port\n")
        let foreign = try await cumulus("serve", "--host", "192.0.2.1", "--port", "8080", environment: elsewhere)
        #expect(foreign.status == 1)
        #expect(foreign.errors == "Error: 192.0.2.1 is no address of this machine; name another with --host\n")
        #expect(await server.stop() == 0)

        let file = try cumulus.file("occupied", "")
        let unusable = try await cumulus(
            "serve", "--port", "0", environment: ["CUMULUS_DATA": file.path() + "/data"])
        #expect(unusable.status == 1)
        #expect(unusable.errors.hasPrefix("Error: the data folder \(file.path())/data cannot be made: "))
        #expect(unusable.errors.split(separator: "\n").count == 1)

        let gone = try await cumulus("health", "--url", server.origin)
        #expect(gone.status == 1)
        #expect(gone.errors == "Error: \(server.origin) does not answer: Connection refused\n")
        let schema = try await cumulus(
            "schema", "export", "c", "--environment", "development", "--server", server.origin,
            environment: ["CUMULUS_MANAGEMENT_TOKEN": String(repeating: "0", count: 64)])
        #expect(schema.status == 1)
        #expect(schema.errors == "Error: \(server.origin) does not answer: Connection refused\n")
    }
}
