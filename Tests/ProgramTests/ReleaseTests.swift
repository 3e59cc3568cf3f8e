import CloudWire
import CloudModel
import CloudServer
import Foundation
import TestProcess
import Testing

/// Data folders as earlier releases left them, kept by `Scripts/keep-release.py`.
struct ReleaseTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/releases").standardizedFileURL

    private static let versions: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
        return names.filter { $0.hasSuffix(".tar.gz") }.map { String($0.dropLast(7)) }.sorted()
    }()

    private let cumulus: Program

    init() throws { cumulus = try Program() }

    @Test("At least one release's data folder is kept")
    func kept() { #expect(!Self.versions.isEmpty) }

    @Test("A release's data folder opens, and answers as before", .timeLimit(.minutes(20)), arguments: versions)
    func opens(version: String) async throws {
        try await unpack(version)
        let server = try await RunningServer(cumulus, "--dev")
        var people: [String: String] = [:]
        for name in ["mei", "ben"] { people[name] = try await Self.signIn(name, server) }
        let text = try String(contentsOf: Self.folder.appending(path: "\(version).jsonl"), encoding: .utf8)
        for line in text.split(separator: "\n") {
            let question = try #require(try JSONParser.parse(Array(line.utf8)).object)
            let (who, path) = (question["who"]?.string ?? "", question["path"]?.string ?? "")
            let target = path.hasPrefix("/") ? path : "/database/1/c/development/\(path)"
            let answer = try await server.post(
                "\(target)?\(try #require(people[who]))", Data(Self.text(question["body"] ?? .null).utf8))
            #expect(
                Self.comparable(try JSONParser.parse(Array(answer.body)))
                    == Self.comparable(question["answer"] ?? .null),
                "\(who) \(path)")
        }
        #expect(await server.stop() == 0)
        let check = try await cumulus("check", "--data", cumulus.data)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    private func unpack(_ version: String) async throws {
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        let tar = try ChildProcess(
            URL(filePath: "/usr/bin/tar"),
            ["-xzf", Self.folder.appending(path: "\(version).tar.gz").path(), "-C", cumulus.folder.path()],
            environment: ["PATH": "/usr/bin:/bin"],
            streams: (nothing.fileDescriptor, nothing.fileDescriptor, nothing.fileDescriptor), bound: 60)
        #expect(await tar.end() == 0)
    }

    private static func signIn(_ name: String, _ server: RunningServer) async throws -> String {
        let body = #"{"container": "c", "environment": "development", "email": "\#(name)@example.com"}"#
        let json = try JSONParser.parse(Array(try await server.post("/auth/dev/session", Data(body.utf8)).body))
        let token = try #require(json.object?["ckWebAuthToken"]?.string)
            .replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        return "ckAPIToken=\(DevelopmentToken.text)&ckWebAuthToken=\(token)"
    }

    private static func text(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// With members in one order, and without links, which are signed anew for each answer.
    private static func comparable(_ value: JSONValue) -> String {
        switch value {
        case .object(let object):
            let members = object.members.filter { !["downloadURL", "shareURL"].contains($0.key) }
                .map { "\(text(.string($0.key))):\(comparable($0.value))" }
            return "{\(members.sorted().joined(separator: ","))}"
        case .array(let items): return "[\(items.map(comparable).joined(separator: ","))]"
        default: return text(value)
        }
    }
}
