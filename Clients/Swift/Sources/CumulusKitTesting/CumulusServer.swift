import CumulusKit
import Foundation

/// A Cumulus server for a process's tests: started on first use, ended with the process.
public final class CumulusServer: Sendable {
    /// The variable with the path of the server's program.
    public static let programVariable = "CUMULUS_PROGRAM"
    /// The variable with the origin of a running server.
    public static let originVariable = "CUMULUS_ORIGIN"
    /// The token that development servers accept for every container.
    public static let apiToken = String(repeating: "d0", count: 32)

    public let origin: String
    private let process: Process
    private let lifeline: Pipe
    /// Retained, since deallocation would end reading.
    private let output: Pipe

    public struct CannotStart: Error, CustomStringConvertible {
        public let description: String
    }

    /// Ends the server and removes its folder when this process exits for any reason, which closes the script's input. Only the
    /// server holds the output open, so the output ends with it.
    private static let keeper = """
        "$@" 2>&1 </dev/null & server=$!
        exec >/dev/null
        cat
        kill "$server" 2>/dev/null
        wait "$server" 2>/dev/null
        rm -rf "$0"
        """

    /// The origin of the server run by `cumulus exec`, or else of a server started by this process.
    public static func origin() async throws -> String {
        if let origin = ProcessInfo.processInfo.environment[originVariable] { return origin }
        return try await shared().origin
    }

    /// The server shared by all tests of this process.
    public static func shared() async throws -> CumulusServer { try await starting.value }
    private static let starting = Task { try await CumulusServer() }

    /// - Parameter program: nil for the program named by the environment.
    public init(program: String? = nil) async throws {
        guard let program = program ?? ProcessInfo.processInfo.environment[Self.programVariable] else {
            throw CannotStart(
                description: "Run the tests with 'cumulus exec -- swift test', or set \(Self.programVariable) to the "
                    + "whole path of the cumulus program, such as /usr/local/bin/cumulus.")
        }
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw CannotStart(
                description: "There is no program at \(program), as seen from "
                    + "\(FileManager.default.currentDirectoryPath). Set \(Self.programVariable) to its whole path.")
        }
        let data = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", Self.keeper, data.path, program, "serve", "--dev", "--host", "127.0.0.1", "--port", "0", "--data",
            data.path,
        ]
        // Removes another server's settings, and ``programVariable``, which the server would refuse as unknown.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CUMULUS_") }
        let lifeline = Pipe()
        let output = Pipe()
        process.standardInput = lifeline
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        self.lifeline = lifeline
        self.output = output
        origin = try await Self.origin(in: output)
    }

    deinit { try? lifeline.fileHandleForWriting.close() }

    /// Reads output until the server reports its address, then keeps draining so that the server never blocks.
    private static func origin(in output: Pipe) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            let text = Mutex<String?>("")
            output.fileHandleForReading.readabilityHandler = { handle in
                let data = withExtendedLifetime(output) { handle.availableData }
                let found: Result<String, any Error>? = text.withLock { text in
                    guard var read = text else { return nil }
                    read += String(decoding: data, as: UTF8.self)
                    text = read
                    if let origin = read.firstMatch(of: #/Cumulus is serving (http://[0-9.:]+)/#)?.output.1 {
                        text = nil
                        return .success(String(origin))
                    }
                    guard data.isEmpty else { return nil }
                    text = nil
                    return .failure(
                        CannotStart(description: "The server ended before it listened: \(read.prefix(500))"))
                }
                if data.isEmpty { handle.readabilityHandler = nil }
                if let found { continuation.resume(with: found) }
            }
        }
    }
}
