import CloudHTTP
import CloudModel
import Foundation
import TestProcess

/// The program itself, run as a child process over a data folder of its own.
final class Program: Sendable {
    /// Seconds: longer than a test needs any child, a server on a busy machine too; one that is still there is killed.
    static let bound = 900.0

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
        let input = try FileHandle(forReadingFrom: files[0])
        let output = try FileHandle(forWritingTo: files[1])
        let errors = try FileHandle(forWritingTo: files[2])
        let child = try start(
            arguments, environment: environment,
            streams: (input.fileDescriptor, output.fileDescriptor, errors.fileDescriptor))
        return Outcome(
            status: await child.end(), output: try String(contentsOf: files[1], encoding: .utf8),
            errors: try String(contentsOf: files[2], encoding: .utf8))
    }

    /// Starts the program. It sees no setting but those given here.
    ///
    /// - Parameters:
    ///   - largestFile: bytes any file it writes may have; past that it meets an error, as on a full disk.
    ///   - descriptors: files and connections it may have open.
    ///   - group: the file that takes the processes of its control group.
    func start(
        _ arguments: [String], environment: [String: String] = [:], largestFile: Int? = nil, descriptors: Int? = nil,
        group: URL? = nil,
        streams: (input: Int32, output: Int32, errors: Int32)
    ) throws -> ChildProcess {
        let limits = [largestFile.map { "--fsize=\($0)" }, descriptors.map { "--nofile=\($0):\($0)" }].compactMap(
            \.self)
        let enter = group.map { "echo $$ >'\($0.path())'; " } ?? ""
        let limited =
            limits.isEmpty && group == nil
            // The signal that would end it otherwise stays ignored in what the shell becomes.
            ? nil
            : [
                "-c",
                "\(enter)trap '' XFSZ; exec prlimit \((limits + ["--core=0"]).joined(separator: " ")) \"$0\" \"$@\"",
                Self.executable.path(),
            ]
        return try ChildProcess(
            limited == nil ? Self.executable : URL(filePath: "/bin/sh"), (limited ?? []) + arguments,
            environment: [
                "PATH": "/usr/bin:/bin", "CUMULUS_DATA": data,
            ].merging(environment) { $1 },
            streams: streams, bound: Self.bound)
    }

    /// Writes a file into the program's working folder.
    func file(_ name: String, _ text: String) throws -> URL {
        let url = folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url
    }

    static let executable =
        (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
        .deletingLastPathComponent().appending(path: "cumulus")
}
