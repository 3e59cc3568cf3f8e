import CloudAccounts
import CloudEngine
import CloudServer
import CloudHTTP
import CloudPages
import CloudEmulator
import CloudModel
import CloudTransfer
import Configuration
import Foundation
import Logging
import ServiceLifecycle

/// The development server of a `cumulus exec` run. Runs in the same process, so both always end together.
struct ExecServer {
    let origin: String
    /// Collected findings about clients' mistakes.
    let lint: ClientLint
    private let data: DataFolder
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    /// The grace period for requests in flight after the command's end.
    private static let patience = Duration.seconds(5)

    /// Starts the server and waits until it listens.
    ///
    /// - Parameter onRequest: called for every request.
    init(
        folder: String, config: String?, contents: ExecContents, onRequest: @escaping @Sendable (RequestRecord) -> Void
    ) async throws {
        let settings = try Self.settings(folder, config)
        // The data lives for a single run, which a power cut ends anyway, so commits need no sync.
        let clock = settings.server.clock
        if contents.isFrozen { clock.freeze() }
        if let time = contents.time { try clock.set(time) }
        let data = try settings.dataFolder(isSynced: false, now: { clock.now() })
        let accounts = try AccountStore(folder: data, sessionLifetimes: settings.server.sessionLifetimes)
        try contents.addFaults(to: settings.server.faults)
        try await contents.fill(data, accounts, settings)
        let (ports, source) = AsyncStream<Int>.makeStream()
        var configuration = settings.server
        configuration.descriptors = OpenFiles.raiseLimit()
        configuration.onRequest = onRequest
        configuration.lint.start(hasWholeSchema: contents.schema != nil)
        configuration.onListening = { source.yield($0) }
        // Refusals are reported at the end; log lines would clutter the command's output.
        let logger = settings.logFormat.logger(level: max(settings.server.logLevel, .warning))
        let application = try buildApplication(
            configuration: configuration,
            pages: PageFiles(
                PublicFiles(folder: configuration.publicFolder), texts: configuration.texts, apps: configuration.apps),
            folder: data, accounts: accounts, logger: logger)
        var services = ServiceGroupConfiguration(services: [application], logger: logger)
        services.maximumGracefulShutdownDuration = Self.patience
        let group = ServiceGroup(configuration: services)
        let running = Task {
            defer { source.finish() }
            try await group.run()
        }
        guard let port = await ports.first(where: { _ in true }) else {
            try await running.value
            throw Complaint("the server ended before it listened")
        }
        (self.data, self.group, self.running, lint) = (data, group, running, configuration.lint)
        origin = "http://127.0.0.1:\(port)"
    }

    /// Stops the server and closes its databases.
    func stop() async {
        await group.triggerGracefulShutdown()
        do { try await running.value } catch is CancellationError {} catch {
            ExecCommand.say("cumulus: the server did not end well: \(Complaint(error))")
        }
    }

    /// Exports a container into a new folder, which gets its final name when complete. The server must have stopped.
    func export(_ container: String, to path: String) async throws {
        let accounts = try AccountStore(folder: data)
        let unfinished = path + ".partial"
        try? FileManager.default.removeItem(atPath: unfinished)
        do {
            _ = try await EnvironmentExport(
                of: try await accounts.containers.require(named: container), .development, in: data, accounts: accounts,
                to: ExportFolder(path: unfinished)
            ).run()
        } catch {
            try? FileManager.default.removeItem(atPath: unfinished)
            throw error
        }
        try accounts.close()
        try FileManager.default.moveItem(atPath: unfinished, toPath: path)
    }

    /// Reads the user's settings; refuses locations such as `database.url`, since the run keeps its data in its own folder.
    private static func settings(_ folder: String, _ config: String?) throws -> Settings {
        let reader = try SettingsReader(
            commandLine: [
                "data": .string(folder), "host": .string("127.0.0.1"), "port": .int(0), "dev": .bool(true),
            ], config: config)
        for name in ["database.url", "assets.url", "publicUrl", "backup.to"] {
            guard let setting = SettingsTable.all.first(where: { $0.name == name }),
                let source = try reader.source(of: setting)
            else { continue }
            throw Complaint(
                "'cumulus exec' keeps everything in a folder of its own; remove \(source.spelling(of: setting)), "
                    + "which is set \(source.place)")
        }
        return try reader.settings()
    }
}
