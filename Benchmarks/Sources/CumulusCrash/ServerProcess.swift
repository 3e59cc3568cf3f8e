import Foundation
import Synchronization
import Traffic

/// The server under test: started on one folder again and again, ended without warning.
final class ServerProcess: Sendable {
    struct NotReady: Error, CustomStringConvertible {
        let description: String
    }

    private static let readyWithin = Duration.seconds(30)

    let origin: String
    private let binary: String
    private let arguments: [String]
    private let log: String
    /// Names the running server for the script that must end it should this program fail.
    private let pidFile: String
    private let process = Mutex<Process?>(nil)
    private let ending = Mutex(false)
    private let trouble = Mutex(false)

    init(binary: String, data: String, port: Int, log: String, pidFile: String) {
        origin = "http://127.0.0.1:\(port)"
        self.binary = binary
        self.log = log
        self.pidFile = pidFile
        arguments = ["serve", "--dev", "--host", "127.0.0.1", "--port", "\(port)", "--data", data]
    }

    /// True once the end has been decided. From then on a broken connection is no finding.
    var isEnding: Bool { ending.withLock { $0 } }

    /// True while its database is being taken over. A request that is not done is no finding then.
    var isTroubled: Bool { trouble.withLock { $0 } }

    func setTroubled(_ isTroubled: Bool) { trouble.withLock { $0 = isTroubled } }

    /// Has everybody write again, or not, while the server goes on.
    func setWriting(_ isWriting: Bool) { ending.withLock { $0 = !isWriting } }

    /// Starts the server and waits for its first answer.
    ///
    /// - Parameter environment: beside this program's own.
    /// - Returns: how long that took.
    func start(_ caller: HTTPCaller, environment: [String: String] = [:]) async throws -> Duration {
        ending.withLock { $0 = false }
        let start = ContinuousClock.now
        let child = Process()
        child.executableURL = URL(filePath: binary)
        child.arguments = arguments
        child.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = try logHandle()
        child.standardOutput = output
        child.standardError = output
        try child.run()
        try Data("\(child.processIdentifier)".utf8).write(to: URL(filePath: pidFile))
        process.withLock { $0 = child }
        while (try? await caller.get("\(origin)/health").status) != 200 {
            guard child.isRunning, start.duration(to: .now) < Self.readyWithin else {
                throw NotReady(description: "the server did not come up; its output is in \(log)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        return start.duration(to: .now)
    }

    /// Ends the server with SIGKILL and waits until it is gone.
    func kill() {
        ending.withLock { $0 = true }
        process.withLock { child in
            guard let running = child else { return }
            Foundation.kill(running.processIdentifier, SIGKILL)
            running.waitUntilExit()
            try? FileManager.default.removeItem(atPath: pidFile)
            child = nil
        }
    }

    private func logHandle() throws -> FileHandle {
        if !FileManager.default.fileExists(atPath: log) {
            _ = FileManager.default.createFile(atPath: log, contents: nil)
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: log))
        _ = try handle.seekToEnd()
        return handle
    }
}
