import CloudHTTP
import CloudModel
import Disk
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `cumulus backup` as an operator uses it.
@Suite(.timeLimit(.minutes(20)))
struct BackupTests {
    private let cumulus: Program
    private var place: String { cumulus.folder.appending(path: "backups").path() }

    init() throws { cumulus = try Program() }

    private func start() async throws -> (server: RunningServer, person: DevelopmentPerson) {
        let server = try await RunningServer(cumulus, "--dev")
        return (server, try await DevelopmentPerson(server))
    }

    /// A record with an asset of its own.
    private func save(_ name: String, _ contents: Data, _ server: RunningServer, _ person: DevelopmentPerson)
        async throws
    {
        let answer = try await server.post(try await person.uploadLink(), contents)
        try await person.save(name, file: try #require(try JSONParser.parse(Array(answer.body)).object?["singleFile"]))
    }

    private func backup(_ arguments: String..., environment: [String: String] = [:]) async throws -> Program.Outcome {
        try await cumulus.run(["backup"] + arguments + ["--to", place], environment: environment)
    }

    private func names() async throws -> [String] {
        let listed = try await backup("list", "--json")
        #expect(listed.status == 0, "\(listed.errors)")
        return try (listed.json.array ?? []).compactMap { $0.object?["name"]?.string }
    }

    private func export(to name: String) async throws -> [String: Data] {
        let folder = cumulus.folder.appending(path: name).path()
        let outcome = try await cumulus("export", "c", "--environment", "development", "--to", folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            contents[name] = FileManager.default.contents(atPath: "\(folder)/\(name)")
        }
        return contents
    }

    private func token(_ person: DevelopmentPerson, since: String? = nil) async throws -> JSONObject {
        let since = since.map { #", "syncToken": "\#($0)""# } ?? ""
        let answer = try await person.send("changes/zone", #"{"zones": [{"zoneID": {"zoneName": "Z"}\#(since)}]}"#)
        return try #require(
            try JSONParser.parse(Array(answer.body)).object?["zones"]?.array?.first?.object, "\(answer.body)")
    }

    private func write(_ name: String, _ person: DevelopmentPerson) async throws {
        let answer = try await person.send(
            "records/modify",
            #"""
            {"zoneID": {"zoneName": "Z"}, "operations": [{"operationType": "create",
                "record": {"recordName": "\#(name)", "recordType": "Note"}}]}
            """#)
        #expect(answer.response.statusCode == 200)
    }

    @Test("A restored backup exports the same bytes, and a client with a lost token starts over")
    func comesBack() async throws {
        var (server, mei) = try await start()
        _ = try await mei.send(
            "zones/modify", #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}]}"#)
        try await write("kept", mei)
        try await save("photo", Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }), server, mei)
        let known = try #require(try await token(mei)["syncToken"]?.string)
        let before = try await export(to: "before")
        let made = try await backup("create", "--json")
        #expect(made.status == 0, "\(made.errors)")
        #expect(try made.json.object?["newAssetBytes"]?.integer == 300_000)
        let again = try await backup("create", "--json")
        #expect(try again.json.object?["newAssetBytes"]?.integer == 0)
        let running = try await backup("restore")
        #expect(running.status == 1 && running.errors.contains("stop it to restore"), "\(running.errors)")

        try await write("lost", mei)
        let lost = try #require(try await token(mei)["syncToken"]?.string)
        #expect(await server.stop() == 0)
        let restored = try await backup("restore")
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(restored.output.contains("The counts are those of the backup"))
        #expect(restored.errors.contains("What was there before is in"))
        #expect(try await export(to: "after") == before)
        try expectOwnersAlone(cumulus.data)
        try expectOwnersAlone(place)

        (server, mei) = try await start()
        let refused = try await token(mei, since: lost)
        #expect(refused["serverErrorCode"]?.string == "BAD_REQUEST" && refused["restoredTo"]?.integer != nil)
        #expect(try await token(mei, since: known)["records"]?.array?.isEmpty == true)
        let anew = try await token(mei)
        #expect(anew["records"]?.array?.compactMap { $0.object?["recordName"]?.string } == ["kept"])
        try await write("new", mei)
        let next = try await token(mei, since: try #require(anew["syncToken"]?.string))
        #expect(next["records"]?.array?.compactMap { $0.object?["recordName"]?.string } == ["new"])
        #expect(try await token(mei, since: lost)["serverErrorCode"]?.string == "BAD_REQUEST")
        #expect(await server.stop() == 0)
    }

    private func expectOwnersAlone(_ folder: String) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) + [""] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(attributes[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test("A flipped byte in any backup file is found by file name, and the backup is not restored")
    func flippedBytes() async throws {
        let (server, mei) = try await start()
        try await save("photo", Data(count: 100_000), server, mei)
        #expect(await server.stop() == 0)
        #expect(try await backup("create").status == 0)
        #expect(try await backup("verify").status == 0)
        let name = try #require(try await names().first)
        let files = try FileManager.default.subpathsOfDirectory(atPath: place).filter {
            $0.hasPrefix("backups/\(name)/") || $0.hasPrefix("assets/") && $0.count > 20
        }
        #expect(files.count == 5)
        for file in files {
            let url = URL(filePath: "\(place)/\(file)")
            let whole = try Data(contentsOf: url)
            var damaged = whole
            damaged[damaged.count / 2] ^= 1
            try damaged.write(to: url)
            let verified = try await backup("verify")
            #expect(verified.status == 1, "\(file)")
            #expect((verified.output + verified.errors).contains(file), "\(file): \(verified)")
            let restored = try await backup("restore")
            #expect(restored.status == 1, "\(file): \(restored.output)")
            #expect(!FileManager.default.fileExists(atPath: cumulus.data + "/restore"), "\(file)")
            try whole.write(to: url)
        }
        #expect(try await cumulus("check").status == 0)
        #expect(try await backup("restore").status == 0)
    }

    @Test("Killing a backup or a restore at any point leaves nothing half done")
    func killed() async throws {
        let (server, mei) = try await start()
        _ = try await mei.create((0..<50).map { "n\($0)" }, text: String(repeating: "a", count: 500))
        try await save("photo", Data(count: 50_000), server, mei)
        #expect(await server.stop() == 0)
        #expect(try await backup("create").status == 0)
        let first = try await names()
        var (room, kills) = (100, 0)
        while room < 1 << 30 {
            let outcome = try await backup(
                "create", environment: try JournalLibrary.killed(at: place, after: room))
            if outcome.status == 0 { break }
            kills += 1
            #expect(outcome.status == 128 + SIGKILL, "\(room) bytes: \(outcome)")
            #expect(try await names() == first, "\(room) bytes")
            room *= 2
        }
        #expect(kills > 10)
        let second = try await names()
        #expect(second.count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place + "/backups").count == 2)
        #expect(try await backup("verify").status == 0)

        let before = try await export(to: "before")
        (room, kills) = (100, 0)
        while room < 1 << 30 {
            let outcome = try await backup(
                "restore", environment: try JournalLibrary.killed(at: cumulus.data, after: room))
            if outcome.status == 0 { break }
            kills += 1
            #expect(outcome.status == 128 + SIGKILL, "\(room) bytes: \(outcome)")
            let checked = try await cumulus("check")
            let isWhole = checked.status == 0 && checked.output.contains("1 asset.")
            #expect(isWhole || checked.errors.contains("run 'cumulus backup restore' again"), "\(checked)")
            room *= 2
        }
        #expect(kills > 10)
        #expect(try await export(to: "after") == before)
    }

    @Test("An unusable backup location is refused with a remedy, and existing backups stay")
    func places() async throws {
        #expect(try await cumulus("container", "create", "c").status == 0)
        let unset = try await cumulus("backup", "create")
        #expect(unset.status == 1 && unset.errors.contains("--to, or set backup.to"), "\(unset.errors)")
        let none = try await backup("restore")
        #expect(none.errors.contains("has no backup yet; make one with"), "\(none.errors)")
        let gone = try await cumulus("backup", "create", "--to", "/nowhere/at/all")
        #expect(gone.errors.contains("mount its disk, make the folder or name another"), "\(gone.errors)")
        let own = try await cumulus("backup", "create", "--to", cumulus.data)
        #expect(own.errors.contains("holds other files than backups"), "\(own.errors)")
        let readOnly = try await cumulus("backup", "create", "--to", "/proc/cumulus")
        #expect(readOnly.status == 1 && readOnly.errors.contains("/proc/cumulus cannot be"), "\(readOnly.errors)")

        #expect(try await backup("create").status == 0)
        let other = try Program()
        #expect(try await other("container", "create", "d").status == 0)
        let foreign = try await other("backup", "create", "--to", place)
        #expect(foreign.errors.contains("has the backups of another data folder"), "\(foreign.errors)")
        var room = 100
        var refusals = 0
        while room < 1 << 30 {
            let full = try await backup("create", environment: try JournalLibrary.fullDisk(at: place, after: room))
            if full.status == 0 { break }
            refusals += 1
            #expect(full.errors.contains("no room left") || full.errors.contains("disk is full"), "\(full.errors)")
            #expect(full.errors.contains("run the command again"), "\(full.errors)")
            room *= 3
        }
        #expect(refusals > 3)
        #expect(try await names().count == 2)
        try FileManager.default.moveItem(atPath: place, toPath: place + "-away")
        let unmounted = try await backup("create")
        #expect(unmounted.errors.contains("had backups and has none now"), "\(unmounted.errors)")
    }

    @Test("A read-only backup location takes no backup, and its backups are listed, verified and restored")
    func readOnlyPlace() async throws {
        #expect(try await cumulus("container", "create", "c").status == 0)
        #expect(try await backup("create").status == 0)
        let readOnly = try JournalLibrary.readOnly(at: place)
        let refused = try await backup("create", environment: readOnly)
        #expect(refused.status == 1 && refused.errors.lowercased().contains("read-only"), "\(refused.errors)")
        #expect(try await names().count == 1)
        for command in [["list"], ["verify"], ["restore"]] {
            let outcome = try await cumulus.run(["backup"] + command + ["--to", place], environment: readOnly)
            #expect(outcome.status == 0, "\(command): \(outcome.errors)")
        }
        // A server whose place for backups is such goes on with its work, and tries again.
        let log = try cumulus.file("log", "")
        let server = try await RunningServer(
            cumulus, "--dev",
            environment: readOnly.merging(["CUMULUS_BACKUP_TO": place, "CUMULUS_BACKUP_EVERY": "60"]) { $1 },
            errors: try FileHandle(forWritingTo: log))
        let mei = try await DevelopmentPerson(server)
        while try !String(contentsOf: log, encoding: .utf8).contains("no backup was made") {
            #expect(try await mei.create(["n\(UUID())"], text: "a").response.statusCode == 200)
        }
        #expect(await server.stop() == 0)
        #expect(try await backup("create").status == 0)
    }

    @Test("A newer version's backup is not restored, and an invalid manifest is listed with its fault")
    func newer() async throws {
        #expect(try await cumulus("container", "create", "c").status == 0)
        #expect(try await backup("create").status == 0)
        let name = try #require(try await names().first)
        let manifest = URL(filePath: "\(place)/backups/\(name)/manifest.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try Data(text.replacing(#""format":1"#, with: #""format":2"#).utf8).write(to: manifest)
        let refused = try await backup("restore")
        #expect(refused.status == 1 && refused.errors.contains("or a newer one"), "\(refused.errors)")
        try Data("{}".utf8).write(to: manifest)
        #expect(try await backup("list").output.contains("is damaged"))
        let pruned = try await backup("prune", "--keep", "1")
        #expect(pruned.status == 0, "\(pruned.errors)")
        try Data(text.utf8).write(to: manifest)
        #expect(try await backup("verify").status == 0)
    }

    @Test("Restoring another data folder's backup loses none of the existing data")
    func foreign() async throws {
        #expect(try await cumulus("container", "create", "ours").status == 0)
        #expect(try await backup("create").status == 0)
        let other = try Program()
        #expect(try await other("container", "create", "theirs").status == 0)
        let restored = try await other("backup", "restore", "--from", place)
        #expect(restored.status == 0 && restored.errors.contains("What was there before is in"), "\(restored.errors)")
        let after = try await other("container", "list").output
        #expect(after.contains("ours") && !after.contains("theirs"), "\(after)")
        let aside = try #require(
            try FileManager.default.contentsOfDirectory(atPath: other.data).first { $0.hasPrefix("before-") })
        let before = try await other("container", "list", "--data", "\(other.data)/\(aside)")
        #expect(before.output.contains("theirs"), "\(before.errors)")
        // Nor does the restored folder take the place of the one that the backups are of.
        #expect(try await backup("verify").status == 0)
        #expect(try await backup("create").status == 0)
    }

    @Test("Pruning keeps the newest backups, and deletes contents that only the others had")
    func pruning() async throws {
        let (server, mei) = try await start()
        try await save("photo", Data(count: 10_000), server, mei)
        for _ in 0..<3 { #expect(try await backup("create").status == 0) }
        let all = try await names()
        #expect(all.count == 3)
        let pruned = try await backup("prune", "--keep", "2", "--json")
        #expect(try pruned.json.object?["assets"]?.integer == 0, "\(pruned.errors)")
        #expect(try await names() == Array(all.suffix(2)))
        let stray = place + "/assets/c0/Ac0ZO5mYhgyCfhgt5k7QSxdNzKVr"
        try FileManager.default.createDirectory(atPath: place + "/assets/c0", withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(filePath: stray))
        #expect(try await backup("prune", "--keep", "2").output.contains("contents: 1 asset,"))
        #expect(!FileManager.default.fileExists(atPath: stray))
        #expect(try await backup("verify").status == 0)
        #expect(await server.stop() == 0)
    }

    @Test("A slow backup location delays no write, and the backup shows as running", arguments: [true, false])
    func slowPlace(isScheduled: Bool) async throws {
        var (server, mei) = try await start()
        let text = String(repeating: "a", count: 1000)
        #expect(try await mei.create((0..<100).map { "n\($0)" }, text: text).response.statusCode == 200)
        #expect(await server.stop() == 0)
        if !isScheduled { #expect(try await backup("create").status == 0) }
        let token = try await cumulus("management-token", "create", "--name", "t").output.trimmingCharacters(
            in: .newlines)
        let hold = try cumulus.file("hold", "").path()
        // In the middle of the copy of a database.
        let slow = try JournalLibrary.held(by: hold, at: place, after: 60_000)
        server = try await RunningServer(
            cumulus, "--dev",
            environment: slow.merging(["CUMULUS_BACKUP_TO": place, "CUMULUS_BACKUP_EVERY": "86400"]) { $1 })
        mei = mei.at(server)
        if !isScheduled { #expect(try await backups(server, token, "POST")["state"]?.string == "running") }
        while !FileManager.default.fileExists(atPath: hold + ".held") { try await Task.sleep(for: .milliseconds(10)) }
        for round in 0..<30 {
            let made = try await mei.create(["during\(round)"], text: text)
            #expect(made.response.statusCode == 200)
        }
        try await save("photo", Data(count: 10_000), server, mei)
        let state = { try await backups(server, token)["work"]?.object?["state"]?.string }
        #expect(try await state() == "running")
        try FileManager.default.removeItem(atPath: hold)
        while try await state() == "running" { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await state() == "done")
        #expect(try await names().count == (isScheduled ? 1 : 2))
        #expect(try await backup("verify").status == 0)
        #expect(await server.stop() == 0)
    }

    /// The backups of a server and the work on them, as an operator sees it.
    private func backups(
        _ server: RunningServer, _ token: String, _ method: String = "GET"
    ) async throws -> JSONObject {
        guard let url = URL(string: server.origin + "/admin/1/backups") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let (data, _) = try await URLSession.shared.data(for: request)
        return try JSONParser.parse(Array(data)).object ?? JSONObject()
    }

    @Test("A server makes scheduled backups and keeps the configured number")
    func schedule() async throws {
        let server = try await RunningServer(
            cumulus, "--dev", environment: ["CUMULUS_BACKUP_TO": place, "CUMULUS_BACKUP_EVERY": "60"])
        while !FileManager.default.fileExists(atPath: cumulus.data + "/backup.json") {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try await names().count == 1)
        #expect(await server.stop() == 0)
    }
}
