import CloudModel
import Foundation
import TestProcess
import Testing

/// Requests take no more instructions than they may, counted by callgrind: the same on any machine, however busy. Of the
/// debug program it can count none: valgrind ends where libdispatch's first thread waits for signals.
@Suite(.timeLimit(.minutes(15)), .enabled(if: Callgrind.isInstalled))
struct InstructionTests {
    @Test("The release program's requests stay within their instruction limits", .enabled(if: Callgrind.release != nil))
    func releaseProgram() async throws {
        let counts = try await Self.counts(of: try #require(Callgrind.release), requests: 1000)
        for (kind, most) in Self.most { #expect(counts[kind, default: .max] <= most, "\(kind)") }
    }

    /// Instructions of a request, a tenth above those measured.
    private static let most = [
        "health": 48_500, "lookup": 128_000, "query": 163_000, "create": 458_000, "wakeUp": 100_000,
    ]
    private static func counts(of program: String, requests: Int) async throws -> [String: Int] {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Benchmarks/instructions.py").standardized.path()
        let output = Pipe()
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        let process = try ChildProcess(
            URL(filePath: "/usr/bin/env"), ["python3", script, program, "--requests", String(requests), "--json"],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"],
            streams: (
                nothing.fileDescriptor, output.fileHandleForWriting.fileDescriptor,
                FileHandle.standardError.fileDescriptor
            ), bound: Program.bound)
        try output.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        #expect(await process.end() == 0)
        let object = try JSONParser.parse([UInt8](text)).object ?? JSONObject()
        return Dictionary(
            uniqueKeysWithValues: object.members.compactMap { member in
                if case .integer(let count) = member.value { (member.key, Int(count)) } else { nil }
            })
    }
}

/// What counts, and what it counts.
private enum Callgrind {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind")

    /// The release program, where it is built: CUMULUS_RELEASE, or the one of the build folder.
    static let release: String? = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let built = folder.appending(path: ".build/release/cumulus").path()
        let named = ProcessInfo.processInfo.environment["CUMULUS_RELEASE"]
        return [named, built].compactMap(\.self).first { FileManager.default.isExecutableFile(atPath: $0) }
    }()
}
