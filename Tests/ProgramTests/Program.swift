import CloudModel
import Foundation

/// The program itself, run as a child process over a data folder of its own.
final class Program: Sendable {
    /// Longer than any command takes; a child that is still there then is killed.
    static let bound = 60.0

    let folder: URL
    var data: String { folder.appending(path: "data").path() }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String

        /// The output as JSON.
        var json: JSONValue {
            get throws { try JSONParser.parse(Array(output.utf8)) }
        }
    }

    /// Runs one command to its end.
    func callAsFunction(
        _ arguments: String..., environment: [String: String] = [:], input: String = ""
    ) async throws -> Outcome {
        try await run(arguments, environment: environment, input: input)
    }

    func run(
        _ arguments: [String], environment: [String: String] = [:], input: String = ""
    ) async throws -> Outcome {
        // Files rather than pipes: nothing has to be read while the child runs.
        let files = try ["in", "out", "err"].map { try file("\($0)-\(UUID().uuidString)", $0 == "in" ? input : "") }
        let process = process(arguments, environment: environment)
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
                return
            }
            Self.kill(process, after: Self.bound)
        }
        return Outcome(
            status: status, output: try String(contentsOf: files[1], encoding: .utf8),
            errors: try String(contentsOf: files[2], encoding: .utf8))
    }

    /// A child that has not been started yet. It sees no setting but those given here.
    func process(_ arguments: [String], environment: [String: String] = [:]) -> Process {
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "/usr/bin:/bin", "CUMULUS_DATA": data].merging(environment) { $1 }
        return process
    }

    /// Writes a file into the program's working folder.
    func file(_ name: String, _ text: String) throws -> URL {
        let url = folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url
    }

    static func kill(_ process: Process, after seconds: Double) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        }
    }

    private static let executable =
        (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
        .deletingLastPathComponent().appending(path: "cumulus")
}
