import CloudModel
import Disk
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Syncs of files and of their names, counted: what is acknowledged is on disk.
struct SyncTests {
    private static let accounts = "data/accounts.sqlite"
    private static let records = "data/containers/1-development.sqlite"
    private static let zone = #""zoneID": {"zoneName": "Z"}"#

    private let cumulus: CutProgram

    init() throws { cumulus = try CutProgram() }

    @Test("Every acknowledged write is synced before its answer is sent", .timeLimit(.minutes(20)))
    func acknowledgements() async throws {
        let server = try await cumulus.serve()
        let person = try await expectSynced("session", in: Self.accounts) { try await DevelopmentPerson(server) }
        try await expectSynced("first record", in: Self.records) { try await create("a", person) }
        try await expectSynced("record", in: Self.records) { try await create("b", person) }
        try await expectSynced("zone", in: Self.records) {
            let body = #"{"operations": [{"operationType": "create", "zone": {\#(Self.zone)}}]}"#
            try await post("zones/modify", body, person)
        }
        try await expectSynced("share", in: Self.records) {
            let share = #"""
                {"operationType": "create", "record": {"recordName": "s", "recordType": "cloudkit.share",
                    "forRecord": {"recordName": "r"}, "publicPermission": "READ_ONLY", "participants": [],
                    "fields": {"cloudkit.title": {"value": "T"}}}}
                """#
            let body = #"{"operations": [\#(Self.creation("r")), \#(share)], \#(Self.zone)}"#
            try await post("records/modify", body, person)
        }
        try await expectSynced("subscription", in: Self.records) { try await person.subscribe() }
        try await expectSynced("push token", in: Self.accounts) { try await person.courierPath() }
        try await expectSynced("notification", in: Self.records) { try await create("c", person) }
        try await expectSynced("key-value", in: Self.records) {
            let body = #"{"set": {"k": {"type": "STRING", "value": "v"}}, "remove": []}"#
            let answer = try await person.post("/keyvalue/1/c/development/modify", body)
            #expect(answer.response.statusCode == 200)
        }
        try await upload(server, person)
        let schema = try cumulus.program.file("app.ckdb", "DEFINE SCHEMA RECORD TYPE Extra (text STRING QUERYABLE);")
        try await expectSynced("schema", in: Self.records) {
            try await cumulus("schema", "import", "c", "--file", schema.path(), "--yes")
        }
        try await expectSynced("container", in: Self.accounts) { try await cumulus("container", "create", "d") }
        #expect(await server.stop() == 0)
    }

    @Test("Exports, imports and clones are synced when their commands end", .timeLimit(.minutes(20)))
    func transfers() async throws {
        let server = try await cumulus.serve()
        let person = try await DevelopmentPerson(server)
        try await create("a", person)
        try await upload(server, person)
        #expect(await server.stop() == 0)
        let out = cumulus.folder.path + "/new/out"
        try await cumulus("export", "c", "--environment", "development", "--to", out)
        try cumulus.folder.follow()
        try expectOnDisk("new/out", files: 12)
        try await cumulus("import", out, "--container", "d", "--environment", "production")
        try cumulus.folder.follow()
        try expectOnDisk("data/containers", files: 4)
        try await cumulus("clone", "d", "--yes")
        try cumulus.folder.follow()
        try expectOnDisk("data/containers", files: 6)
        try expectOnDisk("data", files: 7)
        // The strictest disk has all of it.
        try cumulus.cut(.strict)
        let again = cumulus.folder.path + "/again"
        try await cumulus("export", "d", "--environment", "development", "--to", again)
        for name in ["records-00001.jsonl", "zones.jsonl", "assets.jsonl"] {
            #expect(FileManager.default.contentsEqual(atPath: "\(out)/\(name)", andPath: "\(again)/\(name)"), "\(name)")
        }
    }

    @Test(
        "A log is restarted only once its file is synced, and a power cut then loses nothing", .timeLimit(.minutes(20)))
    func newLogs() async throws {
        let server = try await cumulus.serve()
        let person = try await DevelopmentPerson(server)
        let text = String(repeating: "a", count: 10_000)
        var promised: [String] = []
        let log = cumulus.folder.path + "/" + Self.records + "-wal"
        var (begun, unsynced): (Int, Set<String>) = (0, [])
        while begun < 2, promised.count < 20_000 {
            let names = (0..<200).map { "n-\(promised.count + $0)" }
            #expect(try await person.create(names, text: text).response.statusCode == 200)
            promised += names
            let attributes = try FileManager.default.attributesOfItem(atPath: log)
            let number = try #require(attributes[.systemFileNumber] as? UInt64)
            try cumulus.folder.follow { entry, disk in
                // A log's head is written when it is begun.
                guard case .write(number, 0, _) = entry, disk.syncs(of: Self.records + "-wal") > 0 else { return }
                begun += 1
                unsynced.formUnion(disk.unsynced(Self.records))
            }
        }
        #expect(begun == 2)
        #expect(unsynced == [])
        await server.kill()
        try cumulus.cut(.strict)
        let again = try await cumulus.serve()
        #expect(try await DevelopmentPerson(again).found(promised) == promised)
        #expect(await again.stop() == 0)
    }

    private func upload(_ server: RunningServer, _ person: DevelopmentPerson) async throws {
        let link = try await person.uploadLink()
        var place: String?
        var unsynced: [String] = []
        try cumulus.folder.follow()
        let answer = try await server.post(link, Data("a picture".utf8))
        #expect(answer.response.statusCode == 200)
        try cumulus.folder.follow { entry, disk in
            guard case .answer = entry, place == nil else { return }
            place = disk.paths(below: "data/containers/1-development-assets").first
            unsynced = place.map(disk.unsynced) ?? []
        }
        let stored = try #require(place)
        #expect(!stored.contains("incoming"))
        #expect(unsynced == [])
        let file = try #require(try JSONParser.parse(Array(answer.body)).object?["singleFile"])
        try await expectSynced("record with an asset", in: Self.records) { try await person.save("kept", file: file) }
    }

    /// Runs a request, and looks at the disk as it was when the first byte of an answer left.
    @discardableResult
    private func expectSynced<T>(_ what: String, in file: String, _ request: () async throws -> T) async throws -> T {
        try cumulus.folder.follow()
        let log = file + "-wal"
        let before = cumulus.folder.disk.syncs(of: log)
        let result = try await request()
        var syncs: Int?
        var names: [String] = []
        try cumulus.folder.follow { entry, disk in
            guard case .answer = entry else { return }
            // The program's own requests on the way, such as a command's, are answered before.
            if syncs == nil || syncs == 0 {
                syncs = disk.syncs(of: log) - before
                names = (disk.unsynced(file) + disk.unsynced(log)).filter { !$0.hasPrefix("bytes of") }
            }
        }
        // A command that speaks to no server ends with its write.
        let counted = syncs ?? cumulus.folder.disk.syncs(of: log) - before
        #expect(counted > 0, "\(what): nothing was synced")
        #expect(names == [], "\(what)")
        return result
    }

    private func expectOnDisk(_ path: String, files: Int) throws {
        let disk = cumulus.folder.disk
        let paths = disk.paths(below: path).filter {
            // Locks hold nothing, and a log that is left has nothing that its file has not.
            !$0.hasSuffix(".lock") && !$0.hasSuffix(".opening") && !$0.hasSuffix("-wal")
        }
        #expect(paths.count >= files, "\(paths)")
        for path in paths { #expect(disk.unsynced(path) == []) }
    }

    private func create(_ name: String, _ person: DevelopmentPerson) async throws {
        #expect(try await person.create([name], text: "x").response.statusCode == 200)
    }

    private func post(_ action: String, _ body: String, _ person: DevelopmentPerson) async throws {
        let answer = try await person.send(action, body)
        #expect(answer.response.statusCode == 200)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("serverErrorCode"))
    }

    private static func creation(_ name: String) -> String {
        #"{"operationType": "create", "record": {"recordName": "\#(name)", "recordType": "Note", "fields": {}}}"#
    }
}
