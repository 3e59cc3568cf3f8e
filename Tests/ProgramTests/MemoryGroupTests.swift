import Foundation
import Glibc
import TestWire
import Testing

@testable import cumulus

/// A server in a control group with little memory refuses what it cannot hold.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct MemoryGroupTests {
    @Test("The memory limit is the lowest of the process's groups, in both cgroup versions")
    func limits() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "groups-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ path: String, _ text: String) throws -> String {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            return file.path()
        }
        let root = folder.appending(path: "fs").path()
        _ = try write("fs/memory.max", "max\n")
        _ = try write("fs/a/memory.max", "167772160\n")
        _ = try write("fs/a/b/memory.max", "max\n")
        _ = try write("fs/memory/memory.limit_in_bytes", "100000000\n")
        let second = try write("second", "0::/a/b\n")
        #expect(MemoryLimit.ofProcess(groups: second, root: root) == 167_772_160)
        // As in a container, where the path is that of the host.
        let first = try write("first", "5:cpu:/\n4:memory:/docker/17\n")
        #expect(MemoryLimit.ofProcess(groups: first, root: root) == 100_000_000)
        let none = try #require(MemoryLimit.ofProcess(groups: folder.path() + "/nothing", root: root))
        #expect(none > 100_000_000)
    }

    @Test(
        "In 160 MB, 24 writes of 13 MB at once are refused or answered",
        .enabled(if: MemoryGroup.canBeMade, "needs a control group"),
        arguments: [1, 24])
    func writes(people: Int) async throws {
        let group = try MemoryGroup(bytes: 160 << 20)
        defer { group.remove() }
        let cumulus = try Program()
        let server = try await RunningServer(
            cumulus, "--dev", environment: ["CUMULUS_LOG_LEVEL": "error"], group: group.processes)
        let port = try server.port
        let text = String(repeating: "x", count: 900_000)
        var tokens: [String] = []
        for number in 0..<people {
            tokens.append(try await StoppingTests.signIn(port, email: "p\(number)@example.com"))
        }
        let statuses = try await withThrowingTaskGroup(of: String.self) { [tokens] writes in
            for number in 0..<24 {
                let operations = (0..<14).map { part in
                    #"{"operationType": "create", "record": {"recordName": "r\#(number)-\#(part)", "recordType": "Note", "#
                        + #""fields": {"text": {"value": "\#(text)", "type": "BYTES"}}}}"#
                }
                let body = #"{"operations": [\#(operations.joined(separator: ","))]}"#
                writes.addTask {
                    let wire = try Wire(port: port)
                    let token = tokens[number % tokens.count]
                    // A server that refuses may not take all of it.
                    try? await wire.send(StoppingTests.head("records/modify", token, length: body.utf8.count) + body)
                    return String(try await wire.readHead().prefix(12))
                }
            }
            return try await writes.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.contains("HTTP/1.1 200"))
        #expect(Set(statuses).isSubset(of: ["HTTP/1.1 200", "HTTP/1.1 429", "HTTP/1.1 503"]), "\(statuses)")
        #expect(try await server.status("/health") == 200)
        #expect(await server.stop() == 0)
    }
}

/// A control group with a limit on memory.
private struct MemoryGroup {
    private static let kinds = [
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max"),
    ]

    static let canBeMade: Bool = {
        guard let group = try? MemoryGroup(bytes: 1 << 30) else { return false }
        group.remove()
        return true
    }()

    private let folder: URL

    /// The file that takes the processes of the group.
    var processes: URL { folder.appending(path: "cgroup.procs") }

    init(bytes: Int) throws {
        guard let folder = Self.make(bytes) else { throw CocoaError(.fileWriteNoPermission) }
        self.folder = folder
    }

    private static func make(_ bytes: Int) -> URL? {
        for (root, name) in kinds {
            if let folder = make(in: root, name, bytes) { return folder }
        }
        return nil
    }

    private static func make(in root: String, _ name: String, _ bytes: Int) -> URL? {
        let folder = URL(filePath: "\(root)/cumulus-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let limit = try FileHandle(forWritingTo: folder.appending(path: name))
            try limit.write(contentsOf: Data("\(bytes)".utf8))
            return folder
        } catch {
            rmdir(folder.path())
            return nil
        }
    }

    func remove() { rmdir(folder.path()) }
}
