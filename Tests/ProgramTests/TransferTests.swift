import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQLite
import CloudStore
import Foundation
import Synchronization
import TestProcess
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `cumulus export`, `import` and `clone` as an operator uses them.
@Suite(.timeLimit(.minutes(20)))
struct TransferTests {
    let cumulus: Program

    init() throws { cumulus = try Program() }

    @Test("A container is exported and imported beside a running server") func runningServer() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["one", "two"], text: "hello").response.statusCode == 200)
        let folder = cumulus.folder.appending(path: "out").path()
        let exported = try await cumulus("export", "c", "--environment", "development", "--to", folder, "--json")
        #expect(exported.status == 0, "\(exported.errors)")
        let counts = try exported.json.object?["counts"]?.object
        #expect(counts?["records"]?.integer == 3)
        #expect(counts?["users"]?.integer == 1)
        #expect(try permissions(folder) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            #expect(try permissions("\(folder)/\(name)") == (name == "assets" ? 0o700 : 0o600), "\(name)")
        }
        let stale = try await cumulus("export", "c", "--environment", "development", "--to", folder)
        #expect(stale.status == 1)
        #expect(stale.errors.contains("is a complete export of development of c already; name another folder"))
        let refused = try await cumulus("import", folder, "--container", "copy")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("a server is running on"))
        let clone = try await cumulus("clone", "c", "--yes")
        #expect(clone.status == 1)
        #expect(clone.errors.contains("a server is running on"))
        #expect(await server.stop() == 0)
        let taken = try await cumulus("import", folder, "--container", "copy", "--environment", "production", "--quiet")
        #expect(taken.status == 0, "\(taken.errors)")
        #expect(taken.errors.isEmpty)
        #expect(taken.output.contains("Imported \(folder) into production of copy: "))
        #expect(taken.output.contains("3 records"))
        let again = try await cumulus("import", folder, "--container", "copy", "--environment", "production")
        #expect(again.status == 1)
        #expect(again.errors.contains("production of copy is not empty"))
        let back = cumulus.folder.appending(path: "back").path()
        _ = try await cumulus("export", "copy", "--environment", "production", "--to", back)
        let records = "records-00001.jsonl"
        #expect(
            FileManager.default.contents(atPath: "\(folder)/\(records)")
                == FileManager.default.contents(atPath: "\(back)/\(records)"))
        let asked = try await cumulus("clone", "copy")
        #expect(asked.errors.contains("--yes"))
        let cloned = try await cumulus("clone", "copy", "--yes")
        #expect(cloned.output.contains("Development of copy is a copy of production: "), "\(cloned.errors)")
    }

    @Test("A folder that is not an export is refused") func notAnExport() async throws {
        _ = try await cumulus("container", "create", "c")
        let unknown = try await cumulus("export", "nobody", "--environment", "production", "--to", "/nowhere")
        #expect(unknown.errors.contains("container 'nobody' does not exist"))
        let empty = try await cumulus("export", "c", "--environment", "production", "--to", "/nowhere")
        #expect(empty.errors.contains("nothing has ever been stored in production of c"))
        let nothing = try await cumulus("import", cumulus.data)
        #expect(nothing.status == 1)
        #expect(nothing.errors.contains("is not an export: it has no manifest.json"))
        #expect(try await cumulus("clone", "c", "--yes").errors.contains("nothing has ever been stored"))
    }

    /// Ended where they stand, an export and an import go on, and what comes out is what would have.
    @Test("A killed export or import continues when it is run again") func resumed() async throws {
        try await fill(records: 12_000)
        let straight = try await export("c", to: "straight")
        let folder = try #require(try await killedExport())
        #expect(FileManager.default.fileExists(atPath: "\(folder)/snapshot.sqlite"))
        let killed = try await export("c", to: URL(filePath: folder).lastPathComponent)
        #expect(try contents(killed) == contents(straight))

        let arguments = ["import", folder, "--container", "copy"]
        let staged = cumulus.data + "/containers/2-production-import.sqlite"
        for size in [1_000_000, 4_000_000] {
            let isKilled = try await kill(arguments) { Self.size(staged) + Self.size(staged + "-wal") > size }
            #expect(isKilled)
            #expect(FileManager.default.fileExists(atPath: staged))
        }
        let taken = try await cumulus.run(arguments)
        #expect(taken.status == 0, "\(taken.errors)")
        #expect(!FileManager.default.fileExists(atPath: staged))
        let back = try await export("copy", to: "back")
        let names = try FileManager.default.contentsOfDirectory(atPath: back).filter { $0 != "manifest.json" }
        #expect(names.contains("records-00002.jsonl"))
        for name in names {
            #expect(
                FileManager.default.contentsEqual(atPath: "\(back)/\(name)", andPath: "\(straight)/\(name)"), "\(name)")
        }
    }

    /// The folder of an export that was ended after its first file, which on a busy machine takes more than one try.
    private func killedExport() async throws -> String? {
        for attempt in 1...5 {
            let folder = cumulus.folder.appending(path: "killed-\(attempt)").path()
            let isKilled = try await kill(["export", "c", "--environment", "production", "--to", folder]) {
                FileManager.default.fileExists(atPath: "\(folder)/records-00001.jsonl")
            }
            if isKilled { return folder }
        }
        return nil
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    private func contents(_ folder: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            contents[name] = FileManager.default.contents(atPath: "\(folder)/\(name)")
        }
        return contents
    }

    private func export(_ container: String, to name: String) async throws -> String {
        let folder = cumulus.folder.appending(path: name).path()
        let outcome = try await cumulus("export", container, "--environment", "production", "--to", folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return folder
    }

    /// Starts a command and ends it as soon as `isThere`, for which a thread of its own looks.
    ///
    /// - Returns: false when the command was faster.
    private func kill(_ arguments: [String], when isThere: @escaping @Sendable () -> Bool) async throws -> Bool {
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        let stream = nothing.fileDescriptor
        let child = try cumulus.start(arguments, streams: (stream, stream, stream))
        let hasEnded = Flag()
        Thread.detachNewThread {
            while !hasEnded.isSet {
                if isThere() { return child.send(SIGKILL) }
                usleep(500)
            }
        }
        let status = await child.end()
        hasEnded.set()
        return status == 128 + SIGKILL
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    private func fill(records: Int) async throws {
        let data = try DataFolder(path: cumulus.data, engine: SQLiteEngine())
        let accounts = try AccountStore(folder: data)
        let container = try await accounts.containers.create(name: "c")
        let stores = ContainerStores(folder: data, accounts: accounts, previews: nil)
        let store = try await stores.store(container: container, environment: .production)
        let zone = ZoneID(name: ZoneID.defaultName, owner: "_alice")
        for first in stride(from: 0, to: records, by: 200) {
            let operations = try (first..<first + 200).map { number in
                let text =
                    #"{"operationType":"create","record":{"recordName":"r\#(number)","recordType":"Note","fields":{"#
                    + #""text":{"value":"record \#(number)"},"number":{"value":\#(number)}}}}"#
                return try RecordOperation.parse(
                    JSONParser.parse(Array(text.utf8)), at: 0, defaults: Presentation(), limits: Limits())
            }
            _ = try await store.records.modify(
                ModifyRequest(
                    zone: zone, operations: operations, atomic: false, caller: .user(recordName: "_alice"),
                    growsSchema: true, limits: Limits()))
        }
        try await stores.close()
        try accounts.close()
    }
}
