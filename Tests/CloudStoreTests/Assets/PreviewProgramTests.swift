import CloudAssets
import CloudModel
import Foundation
import Synchronization
import TestStore
import Testing

@testable import CloudStore

/// Previews, made by programs that fail.
@Suite(.timeLimit(.minutes(5)))
struct PreviewProgramTests {
    private static let photo = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Samples/photos/astronaut.jpg").standardizedFileURL.path()

    /// Makes a preview with a program, and returns what `PreviewMaker` does; a picture's copy never stays.
    private func make(
        _ program: ConfinedProgram?, _ format: PreviewFormat = .jpeg, at target: String
    ) async throws -> PreviewOutcome {
        let maker = try #require(
            program.map { PreviewMaker(mostPixels: 100_000_000, mostWaiting: 1, program: $0) }
                ?? PreviewMaker(mostPixels: 100_000_000, mostWaiting: 1))
        let isMade = try await maker.make(.small, format, at: target, for: "mei") { try FileReader(path: Self.photo) }
        #expect(!FileManager.default.fileExists(atPath: target + ".source"))
        return isMade
    }

    @Test(
        "A program that crashes, hangs, writes too much, nothing or no picture fails for one preview alone",
        arguments: ["crash", "fall", "hang", "fill", "memory", "lie", "nothing", "unknown"])
    func failures(way: String) async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let link = attacker.folder.appending(path: "attacker-\(way)").path()
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Attacker.program)
        var program = ConfinedProgram(path: link)
        (program.bounds.seconds, program.bounds.memory, program.bounds.output) = (
            way == "hang" ? 1 : 20, 64 << 20, 1 << 20
        )
        let target = attacker.folder.appending(path: "small.jpg").path()
        for format in PreviewFormat.allCases {
            if way == "hang" {
                await #expect(throws: ProgramStop.tookTooLong(seconds: 1)) {
                    try await make(program, format, at: target)
                }
                program.niceness = 10
            }
            let isMade = try await make(program, format, at: target)
            #expect(isMade == (way == "hang" ? .undone : .unusable))
            program.niceness = 0
        }
        let isMade = try await make(nil, at: target)
        #expect(isMade == .made(nil))
    }

    @Test("A program that the kernel kills for want of memory says nothing of the picture") func killed() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let link = attacker.folder.appending(path: "attacker-hang").path()
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Attacker.program)
        let target = attacker.folder.appending(path: "small.jpg").path()
        let making = Task { try await make(ConfinedProgram(path: link), at: target) }
        while !Self.processes(of: link).contains(where: { kill($0, SIGKILL) == 0 }) {
            try await Task.sleep(for: .milliseconds(20))
        }
        let error = await #expect(throws: ProgramStop.self) { try await making.value }
        #expect(error == .killed && error?.description.contains("memory") == true)
    }

    private static func processes(of program: String) -> [pid_t] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap(pid_t.init) ?? []
        return numbers.filter { number in
            let words = try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8)
            return words?.hasPrefix(program + "\0") == true
        }
    }

    private final class Running: Sendable {
        let open = Atomic(0)
        let most = Atomic(0)
    }

    @Test("As many previews are made at a time as the setting says", arguments: [1, 3])
    func programs(count: Int) async throws {
        let program = ConfinedProgram(path: "/nowhere/vipsthumbnail")
        let maker = PreviewMaker(mostPixels: 1, mostWaiting: 10, programs: count, program: program)
        let running = Running()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    _ = try await maker.make(.small, .jpeg, at: "/nowhere/\(number)", for: "mei") {
                        let open = running.open.add(1, ordering: .relaxed).newValue
                        running.most.max(open, ordering: .relaxed)
                        // Each waits until as many run as may.
                        while running.most.load(ordering: .relaxed) < count { await Task.yield() }
                        running.open.subtract(1, ordering: .relaxed)
                        return nil
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.most.load(ordering: .relaxed) == count)
    }

    @Test("A program that is missing says nothing of the picture") func missing() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let target = attacker.folder.appending(path: "small.jpg").path()
        let isMade = try await make(ConfinedProgram(path: "/nowhere/vipsthumbnail"), at: target)
        #expect(isMade == .undone)
    }

    @Test("A preview is made without Landlock too, byte for byte the same", arguments: PreviewFormat.allCases)
    func withoutLandlock(format: PreviewFormat) async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let targets = ["with", "without"].map { attacker.folder.appending(path: "\($0).\(format.rawValue)").path() }
        var program = try #require(PreviewMaker.installed)
        for target in targets {
            let isMade = try await make(program, format, at: target)
            #expect(isMade == .made(nil))
            program.usesLandlock = false
        }
        #expect(FileManager.default.contents(atPath: targets[0]) == FileManager.default.contents(atPath: targets[1]))
    }

    @Test("The trial makes a preview, and says how a program ended that makes none") func trial() async throws {
        let maker = try #require(PreviewMaker(mostPixels: 1, mostWaiting: 1))
        #expect(await maker.trial() == nil)
        let missing = PreviewMaker(mostPixels: 1, mostWaiting: 1, program: ConfinedProgram(path: "/nowhere/a"))
        #expect(await missing.trial() == "/nowhere/a cannot be started: No such file or directory")
        let other = PreviewMaker(mostPixels: 1, mostWaiting: 1, program: ConfinedProgram(path: Attacker.program))
        #expect(await other.trial() == "\(Attacker.program) ended with 9")
    }
}
