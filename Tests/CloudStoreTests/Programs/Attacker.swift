import CloudEngine
import Foundation
import Testing

@testable import CloudStore

/// Runs the program of `Tests/Attacker` as the server runs decoders.
struct Attacker {
    /// Beside the tests, where the build puts it.
    static let program = (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
        .deletingLastPathComponent().appending(path: "attacker").path()

    let folder: URL
    var bounds = ConfinedProgram.Bounds()
    var usesLandlock = true
    var environment: [String: String] = [:]
    var opensInput = false
    var niceness: Int32 = 0

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A file beside its output.
    func file(_ name: String, _ text: String = "secret") throws -> String {
        let url = folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url.path()
    }

    /// Lets it attack in a way, and returns how it ended and what it wrote.
    func run(_ words: [String]) async throws -> (end: ConfinedProgram.End, text: String) {
        var program = ConfinedProgram(path: Self.program)
        (program.arguments, program.environment) = (words, environment)
        (program.bounds, program.usesLandlock, program.opensInput) = (bounds, usesLandlock, opensInput)
        program.niceness = niceness
        let (input, output) = (try file("input"), try file("output", ""))
        let end = await program.run(
            input: try #require(FileHandle(forReadingAtPath: input)),
            output: try #require(FileHandle(forWritingAtPath: output)))
        // It may have filled the file.
        let reader = try #require(FileHandle(forReadingAtPath: output))
        return (end, String(decoding: try reader.read(upToCount: 1 << 16) ?? Data(), as: UTF8.self))
    }

    func run(_ words: String...) async throws -> (end: ConfinedProgram.End, text: String) { try await run(words) }

    /// The attempts of a way: `done`, or the number of an error, by name.
    func attempts(_ words: String...) async throws -> [String: String] {
        let (end, text) = try await run(words)
        #expect(end == .exited(0), "\(text)")
        return Dictionary(
            uniqueKeysWithValues: text.split(separator: "\n").map { line in
                let space = line.lastIndex(of: " ") ?? line.startIndex
                return (String(line[..<space]), String(line[line.index(after: space)...]))
            })
    }
}
