import CloudModel
import CloudOperations
import CloudServer
import CloudStore
import Configuration
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// The development server of one `cumulus exec`, in the same process: however that ends, the server ends with it.
struct ExecServer {
    /// What is there before the command starts.
    struct Contents {
        let container: String
        /// A file of the schema.
        let schema: String?
        /// An export's folder.
        let seed: String?
        /// The time at the beginning; nil for the real one.
        let time: Timestamp?
    }

    let origin: String
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    /// The time that requests in flight have to end once the command has.
    private static let patience = Duration.seconds(5)

    /// Starts it and waits until it listens.
    ///
    /// - Parameter onRequest: hears of every request.
    init(
        folder: String, config: String?, contents: Contents, onRequest: @escaping @Sendable (RequestRecord) -> Void
    ) async throws {
        let settings = try Self.settings(folder, config)
        // The data is of one run, which a power cut ends.
        let clock = settings.server.clock
        if let time = contents.time { try clock.set(time) }
        let data = try settings.dataFolder(isSynced: false, now: { clock.now() })
        let accounts = try AccountStore(folder: data, sessionLifetimes: settings.server.sessionLifetimes)
        try await Self.fill(data, accounts, settings, contents)
        let (ports, source) = AsyncStream<Int>.makeStream()
        var configuration = settings.server
        configuration.descriptors = OpenFiles.raiseLimit()
        configuration.onRequest = onRequest
        configuration.onListening = { source.yield($0) }
        // What is refused is said at the end; between the command's own lines it would be in the way.
        let logger = settings.logFormat.logger(level: max(settings.server.logLevel, .warning))
        let application = try buildApplication(
            configuration: configuration, pages: PageFiles(PublicFolder(path: configuration.publicFolder)),
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
        (self.group, self.running) = (group, running)
        origin = "http://127.0.0.1:\(port)"
    }

    /// Ends it; its databases are closed then.
    func stop() async {
        await group.triggerGracefulShutdown()
        do { try await running.value } catch is CancellationError {} catch {
            ExecCommand.say("cumulus: the server did not end well: \(Complaint(error))")
        }
    }

    /// The settings, but for those that say where.
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
                "'cumulus exec' keeps everything in a folder of its own; take \(source.spelling(of: setting)) away, "
                    + "set \(source.place)")
        }
        return try reader.settings()
    }

    private static func fill(
        _ data: DataFolder, _ accounts: AccountStore, _ settings: Settings, _ contents: Contents
    ) async throws {
        let container = try await accounts.ensureContainer(name: contents.container)
        if let seed = contents.seed {
            _ = try await EnvironmentImport(
                of: ExportFolder(path: seed), into: container, .development, in: data, accounts: accounts
            ).run(connectsUsers: true)
        }
        if let schema = contents.schema {
            let text = try SchemaFile(path: schema).content().text
            _ = try await LocalOperations(settings: settings).inside(container.name) { operations in
                try await operations.administration(container: container.name, environment: .development)
                    .importSchema(text, dryRun: false, ifTag: nil)
            } throughServer: { _ in
                throw Complaint("another server is running on \(data.path)")
            }
        }
    }
}
