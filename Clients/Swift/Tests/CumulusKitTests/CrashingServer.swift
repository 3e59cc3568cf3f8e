import CumulusKit
import CumulusKitTesting
import Foundation

/// A development server that is killed in the middle of what it does, and comes back at the same address.
final class CrashingServer: Sendable {
    let origin: String
    private let program: String
    private let data: URL
    private let process: Mutex<Process>
    /// The number of kills so far.
    private let kills = Mutex(0)

    struct CannotStart: Error, CustomStringConvertible {
        let description: String
    }

    init(in folder: URL) async throws {
        guard let program = ProcessInfo.processInfo.environment[CumulusServer.programVariable] else {
            throw CannotStart(description: "\(CumulusServer.programVariable) names no program.")
        }
        self.program = program
        data = folder.appending(path: "data")
        let (process, origin) = try await Self.start(program, data, port: 0)
        self.process = Mutex(process)
        self.origin = origin
    }

    deinit { kill(process.withLock(\.processIdentifier), SIGKILL) }

    var crashes: Int { kills.withLock(\.self) }

    /// Ends when it listens again.
    func crash() async throws {
        let (old, port) = (process.withLock { $0 }, URL(string: origin)?.port ?? 0)
        kill(old.processIdentifier, SIGKILL)
        old.waitUntilExit()
        let (new, _) = try await Self.start(program, data, port: port)
        process.withLock { $0 = new }
        kills.withLock { $0 += 1 }
    }

    private static func start(_ program: String, _ data: URL, port: Int) async throws -> (Process, origin: String) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["serve", "--dev", "--host", "127.0.0.1", "--port", "\(port)", "--data", data.path]
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CUMULUS_") }
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try process.run()
        return (process, try await Task.detached { try origin(in: output.fileHandleForReading) }.value)
    }

    private static func origin(in output: FileHandle) throws -> String {
        var text = ""
        while true {
            let data = output.availableData
            text += String(decoding: data, as: UTF8.self)
            if let found = text.firstMatch(of: #/Cumulus is serving (http://[0-9.:]+) /#) {
                return String(found.output.1)
            }
            if data.isEmpty { throw CannotStart(description: "The server ended before it listened: \(text)") }
        }
    }
}
