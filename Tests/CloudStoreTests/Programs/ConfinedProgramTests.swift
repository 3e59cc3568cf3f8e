import Foundation
import Testing

@testable import CloudStore

/// What a decoder cannot do that a picture has taken over, by a program that tries.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Confinement.here.hasSeccomp))
struct ConfinedProgramTests {
    private static let refusals: Set = ["\(EACCES)", "\(EPERM)", "\(ENOSYS)"]

    @Test("Files beside its own are neither read nor changed", .enabled(if: Confinement.here.hasLandlock))
    func files() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        for path in ["/etc/passwd", try attacker.file("records.sqlite"), "/proc/self/status", "/proc/1/environ"] {
            var attempts = try await attacker.attempts("files", path)
            // The picture is open for reading, so writing fails as it does for anybody.
            #expect(attempts.removeValue(forKey: "input") == "\(EBADF)")
            #expect(["\(EACCES)", "\(ENOTDIR)"].contains(attempts.removeValue(forKey: "list")))
            #expect(attempts.count == 19)
            for (name, outcome) in attempts { #expect(Self.refusals.contains(outcome), "\(path): \(name) \(outcome)") }
        }
        try check(attacker)
    }

    @Test("Without Landlock no file is changed either") func filesWithoutLandlock() async throws {
        var attacker = try Attacker()
        attacker.usesLandlock = false
        defer { attacker.remove() }
        let attempts = try await attacker.attempts("files", try attacker.file("records.sqlite"))
        #expect(attempts.filter { $0.value == "done" }.keys.sorted() == ["read"])
        try check(attacker)
    }

    @Test("A program that may open its input anew opens no other file, and its input for reading alone")
    func inputAgain() async throws {
        var attacker = try Attacker()
        defer { attacker.remove() }
        for opensInput in [true, false] {
            attacker.opensInput = opensInput
            let again = try await attacker.attempts("files", "/proc/self/fd/0")
            let done = again.filter { $0.value == "done" }.keys.sorted()
            #expect(done == (opensInput || !Confinement.here.hasLandlock ? ["read"] : []))
            let other = try await attacker.attempts("files", try attacker.file("records.sqlite"))
            #expect(other["read"] == (Confinement.here.hasLandlock ? "\(EACCES)" : "done"))
        }
        try check(attacker)
    }

    @Test("A program gives way to others as far as it is told") func niceness() async throws {
        var attacker = try Attacker()
        defer { attacker.remove() }
        let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        for niceness in [Int32(0), 10] {
            attacker.niceness = niceness
            let text = try await attacker.run("priority").text
            // The tests themselves may give way.
            #expect(text == "\(min(19, own + niceness))\n")
        }
        for (more, own, niceness) in [(0, 0, 0), (5, 0, 5), (10, 5, 15), (5, -5, 0), (10, 15, 19), (0, 19, 19)] {
            #expect(ConfinedProgram.niceness(Int32(more), above: Int32(own)) == niceness)
        }
    }

    private func check(_ attacker: Attacker) throws {
        #expect(try String(contentsOf: attacker.folder.appending(path: "records.sqlite"), encoding: .utf8) == "secret")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: attacker.folder.path()).sorted()
                == ["input", "output", "records.sqlite"])
    }

    @Test("No socket of any kind is made, and none of the calls that decoders do not need", arguments: [true, false])
    func calls(usesLandlock: Bool) async throws {
        var attacker = try Attacker()
        attacker.usesLandlock = usesLandlock
        defer { attacker.remove() }
        for (way, count) in [("sockets", 9), ("calls", 36)] {
            let attempts = try await attacker.attempts(way)
            #expect(attempts.count == count)
            for (name, error) in attempts { #expect(error == "\(ENOSYS)", "\(name)") }
        }
    }

    @Test("Calls that are allowed in part are refused for other processes, and for itself where they would help")
    func arguments() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let attempts = try await attacker.attempts("arguments")
        #expect(attempts.count == 16)
        // Decoders compile vector code.
        let code = attempts.filter { $0.key.contains("executable") && $0.value == "done" }.count
        #expect(code == (ConfinedProgram.mayMakeCode ? 2 : 0))
        #expect(
            attempts.filter { $0.value == "done" && !$0.key.contains("executable") }.keys.sorted()
                == ["name", "own signal", "told limit"])
    }

    @Test("It has none of the server's descriptors and variables") func inheritance() async throws {
        var attacker = try Attacker()
        attacker.environment = ["A": "b"]
        defer { attacker.remove() }
        // Neither is closed by itself when a program starts.
        let held = [open("/etc/passwd", O_RDONLY), socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)]
        defer { held.forEach { close($0) } }
        #expect(held.allSatisfy { fcntl($0, F_GETFD) == 0 })
        let descriptors = try await attacker.run("descriptors").text
        #expect(descriptors == "0\n1\n2\n")
        let environment = try await attacker.run("environment").text
        #expect(environment == "A=b\n")
    }

    #if arch(x86_64)
        private static let otherCalls = [["run", "/bin/true"], ["old"], ["x32"]]
    #else
        private static let otherCalls = [["run", "/bin/true"]]
    #endif

    @Test("A second program, and calls of another architecture, end it", arguments: otherCalls)
    func ended(words: [String]) async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let end = try await attacker.run(words).end
        #expect(end == .killed(SIGSYS))
    }

    @Test("Memory, output, processor time, time and threads are bounded")
    func bounds() async throws {
        var attacker = try Attacker()
        defer { attacker.remove() }
        attacker.bounds.memory = 100 << 20
        let megabytes = try #require(Int(try await attacker.run("memory").text.dropLast()))
        #expect((50..<100).contains(megabytes))

        attacker.bounds.output = 3 << 20
        var end = try await attacker.run("fill").end
        #expect(end == .killed(SIGXFSZ))
        let output = try FileManager.default.attributesOfItem(atPath: attacker.folder.appending(path: "output").path())
        #expect(output[.size] as? Int == 3 << 20)

        attacker.bounds.processorSeconds = 1
        end = try await attacker.run("spin").end
        #expect(end == .killed(SIGXCPU))

        attacker.bounds.seconds = 1
        end = try await attacker.run("hang").end
        #expect(end == .tookTooLong)

        (attacker.bounds.seconds, attacker.bounds.processorSeconds) = (60, 20)
        (attacker.bounds.threads, attacker.bounds.memory) = (100, 4 << 30)
        end = try await attacker.run("threads").end
        #expect(end == .hadTooManyThreads)
    }

    @Test("A hundred programs that crash, are missing or end leave no process and no descriptor") func hundred()
        async throws
    {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let missing = ConfinedProgram(path: attacker.folder.path() + "/missing")
        let nowhere = try #require(FileHandle(forUpdatingAtPath: "/dev/null"))
        for _ in 0..<25 {
            let crash = try await attacker.run("crash").end
            #expect(crash == .killed(SIGABRT))
            let fall = try await attacker.run("fall").end
            #expect(fall == .killed(SIGSEGV))
            let (end, text) = try await attacker.run("process")
            let process = try #require(pid_t(text.dropLast()))
            #expect(end == .exited(0) && kill(process, 0) == -1 && errno == ESRCH)
            let none = await missing.run(input: nowhere, output: nowhere)
            #expect(none == .didNotStart(ENOENT))
        }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        #expect(open.filter { $0.hasPrefix(attacker.folder.path()) } == [])
        // Other tests may make a few previews at the same time.
        #expect(open.filter { $0.contains("landlock") || $0.contains("pidfd") }.count < 10)
    }
}
