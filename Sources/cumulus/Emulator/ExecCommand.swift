import CloudWire
import CloudEmulator
import ArgumentParser
import CloudModel
import Foundation

/// `cumulus exec`: runs a command together with its own temporary server.
struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Run a command beside a development server of its own.",
        discussion: """
            The server listens at a free port, keeps its data in a temporary folder and ends with the command, and so \
            does everything the command has started. The command finds the server by CUMULUS_ORIGIN, \
            CUMULUS_CONTAINER and CUMULUS_API_TOKEN. What the server refused is printed at the end, and what clients \
            should do otherwise; the exit code is the command's.
            """)

    /// Environment variables of the command. Settings have other names, so a server started by the command ignores these.
    static let (origin, containerName, apiToken) = ("CUMULUS_ORIGIN", "CUMULUS_CONTAINER", "CUMULUS_API_TOKEN")

    @Option(help: "The container that --schema and --seed fill, in CUMULUS_CONTAINER.")
    var container = "iCloud.com.example.app"
    @Option(help: ArgumentHelp("The schema's text, as 'cumulus schema export' writes it.", valueName: "file"))
    var schema: String?
    @Option(
        help: ArgumentHelp(
            "What to begin with: a folder that 'cumulus export' has written, or a file of people, zones and records, "
                + "a JSON object to a line.", valueName: "path"))
    var seed: String?
    @Option(help: ArgumentHelp("A JSON array of faults that requests meet.", valueName: "file"))
    var faults: String?
    @Option(
        help: ArgumentHelp(
            "The server's time at the beginning, not before now, such as 2030-01-31T09:00:00Z.", valueName: "time"))
    var clock: String?
    @Option(
        help: ArgumentHelp(
            "Write what the container has at the end here, as 'cumulus export' does; nothing may be there.",
            valueName: "dir"))
    var export: String?
    @Option(
        help: ArgumentHelp(
            "Take every name, tag and token from this number, so that each run has the same. The clock stands still, at "
                + "--clock or at the beginning of 2035.", valueName: "seed"))
    var deterministic: UInt64?
    @Option(
        help: ArgumentHelp(
            "Write what clients should do otherwise here: as JSON into a .json file, as JUnit into an .xml file, else as "
                + "text.", valueName: "file"))
    var lint: String?
    @Flag(help: "End with 1 when a command succeeds whose clients should do something otherwise.") var strict = false
    @Option(help: ArgumentHelp("Keep the data here when the command fails; nothing may be there.", valueName: "dir"))
    var keepOnFailure: String?
    @Option(help: ArgumentHelp("A JSON file of settings; CUMULUS_CONFIG names it as well.", valueName: "file"))
    var config: String?
    @Argument(parsing: .postTerminator, help: "After '--': the command and its arguments.")
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else {
            throw ValidationError("name a command after '--', such as: cumulus exec -- npm test")
        }
    }

    func run() async throws {
        // Handle signals from the beginning, so that a signal during startup also cleans up.
        let signals = ForwardedSignals()
        LostChildren.adopt()
        let folder: ExecFolder
        let status: Int32
        do {
            folder = try ExecFolder(kept: keepOnFailure)
            do { status = try await run(in: folder.path, signals) } catch {
                folder.remove()
                throw error
            }
        } catch let exit as ExitCode {
            throw exit
        } catch {
            throw Complaint(error)
        }
        if status != 0, keepOnFailure != nil {
            Self.say("cumulus: the data is kept in \(folder.path)")
        } else {
            folder.remove()
        }
        throw ExitCode(status)
    }

    /// - Returns: the command's exit code, or 128 plus a fatal signal's number.
    private func run(in folder: String, _ signals: ForwardedSignals) async throws -> Int32 {
        if let export, FileManager.default.fileExists(atPath: export) {
            throw Complaint("--export: \(export) is there already; name a folder that is not there yet")
        }
        if let deterministic { RandomBits.seed(deterministic) }
        let refusals = RefusedRequests()
        let server = try await ExecServer(
            folder: folder, config: config,
            contents: ExecContents(
                container: container, schema: schema, seed: seed, faults: faults, time: try time(),
                isFrozen: deterministic != nil)
        ) { refusals.note($0) }
        let status: Result<Int32, any Error>
        do {
            let process = try CommandProcess(command, environment: environment(server.origin))
            signals.forward(to: process)
            status = .success(await process.end())
            signals.stop()
        } catch {
            status = .failure(error)
        }
        await server.stop()
        // All children are the command's: the server has no child processes.
        await LostChildren.end()
        if let text = refusals.text { Self.say(text) }
        if let export { try await server.export(container, to: export) }
        return try report(server.lint, status: try status.get())
    }

    /// - Returns: the command's exit code; with `--strict`, 1 for a successful command with lint findings.
    private func report(_ watched: ClientLint, status: Int32) throws -> Int32 {
        let report = LintReport(watched)
        if let text = report.text { Self.say(text) }
        if let lint { try report.write(to: lint) }
        return strict && status == 0 && !report.isEmpty ? 1 : status
    }

    private func time() throws -> Timestamp? {
        try (clock ?? deterministic.map { _ in "2035-01-01T00:00:00Z" }).map { text in
            guard let date = try? Date(text, strategy: .iso8601) else {
                throw Complaint("--clock must be a time such as 2030-01-31T09:00:00Z, not \(text)")
            }
            return Timestamp(date)
        }
    }

    private func environment(_ origin: String) -> [String: String] {
        ProcessInfo.processInfo.environment.merging([
            Self.origin: origin, Self.containerName: container, Self.apiToken: DevelopmentToken.text,
        ]) { $1 }
    }

    /// Writes a message to standard error; standard output belongs to the command.
    static func say(_ text: String) { Terminal.tell(PlainText.block(text) + "\n") }
}
