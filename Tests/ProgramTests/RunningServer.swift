import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `cumulus serve` on a free port of the loopback, from the moment it listens.
final class RunningServer: Sendable {
    let origin: String
    let welcome: String
    private let process: Process

    struct NeverListened: Error {
        let output: String
    }

    init(_ program: Program, _ arguments: String...) async throws {
        let process = program.process(["serve", "--port", "0"] + arguments)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        let (chunks, source) = AsyncStream<String>.makeStream()
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { source.finish() } else { source.yield(String(decoding: data, as: UTF8.self)) }
        }
        try process.run()
        Program.kill(process, after: Program.bound)
        var text = ""
        var found: Substring?
        for await chunk in chunks {
            text += chunk
            found = text.firstMatch(of: #/Cumulus is serving (http:\/\/127\.0\.0\.1:\d+)/#)?.output.1
            if found != nil, text.hasSuffix("\n") { break }
        }
        pipe.fileHandleForReading.readabilityHandler = nil
        guard let found else { throw NeverListened(output: text) }
        self.process = process
        origin = String(found)
        welcome = text
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Asks it to stop and tells how it ended.
    func stop() async -> Int32 {
        await withCheckedContinuation { continuation in
            let once = Mutex(false)
            let end = { @Sendable (process: Process) in
                if once.withLock({ done in
                    defer { done = true }; return !done
                }) {
                    continuation.resume(returning: process.terminationStatus)
                }
            }
            process.terminationHandler = end
            process.terminate()
            if !process.isRunning { end(process) }
        }
    }

    /// The status of an answer.
    func status(_ path: String) async throws -> Int {
        guard let url = URL(string: origin + path) else { throw URLError(.badURL) }
        let (_, response) = try await URLSession.shared.data(from: url)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }
}
