import CloudModel
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Permissions of the files that the program writes: only its user may read them.
@Suite(.timeLimit(.minutes(20)))
struct FilePermissionTests {
    private let cumulus: Program

    init() throws { cumulus = try Program() }

    @Test("Files are readable by their owner only, whatever command creates them")
    func commands() async throws {
        #expect(try await cumulus("container", "create", "c").status == 0)
        #expect(try loose() == [])
        #expect(try await cumulus("user", "create", "mei@example.com").status == 0)
        let file = cumulus.folder.appending(path: "app.ckdb").path()
        #expect(try await cumulus("schema", "export", "c", "--file", file).status == 0)
        #expect(try Self.permissions(file) == 0o600)
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["n"], text: "x").response.statusCode == 200)
        let answer = try await server.post(try await person.uploadLink(), Data(count: 10))
        try await person.save("kept", file: try #require(JSONParser.parse(Array(answer.body)).object?["singleFile"]))
        #expect(try loose() == [])
        #expect(await server.stop() == 0)
        let out = cumulus.data + "/out"
        #expect(try await cumulus("export", "c", "--environment", "development", "--to", out).status == 0)
        #expect(try await cumulus("import", out, "--container", "d", "--environment", "production").status == 0)
        #expect(try await cumulus("clone", "d", "--yes").status == 0)
        #expect(try loose() == [])
    }

    @Test("A server restricts readable files in its folder, and logs it")
    func looseFiles() async throws {
        let first = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(first)
        let answer = try await first.post(try await person.uploadLink(), Data(count: 10))
        try await person.save("kept", file: try #require(JSONParser.parse(Array(answer.body)).object?["singleFile"]))
        #expect(await first.stop() == 0)
        for path in try everything() {
            let isFolder = try Self.permissions(path) == 0o700
            try FileManager.default.setAttributes(
                [.posixPermissions: isFolder ? 0o755 : 0o644], ofItemAtPath: path)
        }
        #expect(try loose().count > 5)
        let log = try cumulus.file("log", "")
        let second = try await RunningServer(cumulus, "--dev", errors: try FileHandle(forWritingTo: log))
        #expect(try loose() == [])
        #expect(await second.stop() == 0)
        let said = try String(contentsOf: log, encoding: .utf8)
        #expect(said.contains("files that other users of this machine could read are closed to them now"), "\(said)")
        #expect(said.contains("first=\(cumulus.data)"), "\(said)")
        let third = try await RunningServer(
            cumulus, "--dev", errors: try FileHandle(forWritingTo: cumulus.file("log", "")))
        #expect(await third.stop() == 0)
        let silence = try String(contentsOf: log, encoding: .utf8)
        #expect(!silence.contains("are closed to them now"))
    }

    /// Paths in the data folder that others than its owner may use.
    private func loose() throws -> [String] {
        try everything().filter { try Self.permissions($0) & 0o077 != 0 }
    }

    private func everything() throws -> [String] {
        [cumulus.data]
            + (try FileManager.default.subpathsOfDirectory(atPath: cumulus.data)).map { "\(cumulus.data)/\($0)" }
    }

    private static func permissions(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }
}
