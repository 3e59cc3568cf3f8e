package import CloudAccounts
import CloudAssets
package import CloudEngine
package import CloudModel
import CloudStore
import Foundation
import CloudSQL

/// Imports an export (docs/export.md) into an environment. No other process may use the data folder.
///
/// The import fills a staged environment and moves it into place at the end; an interrupted import resumes.
package struct EnvironmentImport: Sendable {
    let folder: ExportFolder
    let manifest: ExportManifest
    let identity: ImportIdentity
    let data: DataFolder
    let accounts: AccountStore
    let container: Container
    let environment: ContainerEnvironment
    let report: ReportProgress
    var reached: ReachedStep = { _ in }

    /// - Throws: ``TransferFault`` when the folder holds no complete export of a readable format.
    package init(
        of folder: ExportFolder, into container: Container, _ environment: ContainerEnvironment, in data: DataFolder,
        accounts: AccountStore, report: @escaping ReportProgress = { _ in }
    ) throws {
        manifest = try ExportManifest.readComplete(folder)
        identity = try ImportIdentity(of: folder)
        self.folder = folder
        self.container = container
        self.environment = environment
        self.data = data
        self.accounts = accounts
        self.report = report
    }

    private var staged: StagedEnvironment {
        StagedEnvironment(data: data, container: container.id, environment: environment)
    }

    /// - Parameters:
    ///   - replaces: whether the import replaces existing contents.
    ///   - connectsUsers: whether user records are connected to accounts with the same email addresses.
    /// - Throws: ``TransferFault`` when the environment is not empty, or a line is invalid.
    package func run(replaces: Bool = false, connectsUsers: Bool = true) async throws -> ExportManifest {
        do {
            let isFinished = replaces ? false : try await finish()
            if !isFinished { try await take(connectsUsers: connectsUsers) }
        } catch { throw TransferFault.worded(error) }
        reached(.end)
        return manifest
    }

    private func take(connectsUsers: Bool) async throws {
        if connectsUsers {
            try await ImportedUsers(accounts: accounts, container: container).connect(folder, manifest, report)
            reached(.users)
        }
        let routingKey = try await accounts.environments.adoptRoutingKey(
            manifest.routingKey, container: container.id, environment: environment)
        do { try await fill(routingKey) } catch is ImportCursor.Stranger {
            try await staged.remove()
            try await fill(routingKey)
        }
        reached(.whole)
        // Push registrations belong to devices of the replaced environment.
        try await accounts.pushTokens.forgetRegistrations(container: container.id, environment: environment)
        try await accounts.pageRules.distrustPublishedNames(container: container.id)
        try staged.replace()
        try await accounts.environments.noteMade(container: container.id, environment: environment)
        reached(.place)
        _ = try await finish()
    }

    /// - Returns: whether the environment already holds this export.
    /// - Throws: ``TransferFault`` when the environment holds other contents.
    private func finish() async throws -> Bool {
        let path = data.recordsFile(container: container.id, environment: environment)
        guard try data.engine.locations.facts(of: path) != nil else { return false }
        let connection = try data.engine.opener.openForWriting(path)
        try Migrations.run(on: connection, name: data.engine.locations.name(of: path))
        let isFinished = try connection.write { try ImportCursor.end(identity, $0) }
        let contents = isFinished ? nil : try connection.read { try ExportSummary.contents($0) }
        try connection.close()
        if let contents {
            throw TransferFault(
                "\(environment.rawValue) of \(container.name) is not empty, it has \(contents); "
                    + "import into another container or environment")
        }
        if isFinished { try await staged.sweep() }
        return isFinished
    }

    /// Fills and checks the staged environment, then closes its files.
    private func fill(_ routingKey: String) async throws {
        let schema = try schema()
        let store = try StoredEnvironment(
            EnvironmentIdentity(
                path: staged.file, container: container.name, environment: environment, routingKey: routingKey),
            engine: data.engine, files: EnvironmentFiles(assets: try staged.assets()),
            settings: EnvironmentSettings(readers: 1), now: data.now)
        do {
            try await lines(store, routingKey).run(schema)
            let check = ImportCheck(manifest: manifest, catalog: store.catalog)
            try await store.reads.read { db in try check.run(db) }
        } catch {
            try await store.close()
            guard let failure = error as? ImportCheck.Failure else { throw error }
            try await staged.remove()
            throw TransferFault(failure.reason + "; nothing was imported")
        }
        try await store.closeWhole()
    }

    private func lines(_ store: StoredEnvironment, _ routingKey: String) -> ImportLines {
        ImportLines(
            folder: folder, export: identity,
            context: ImportContext(
                manifest: manifest, handles: Handles(old: manifest.routingKey, new: routingKey),
                missing: Set(manifest.missingAssets)), store: store, report: report, reached: reached)
    }

    private func schema() throws -> SchemaDefinition {
        let path = folder.path(ExportFolder.schema)
        guard let text = FileManager.default.contents(atPath: path).map({ String(decoding: $0, as: UTF8.self) }) else {
            throw TransferFault("\(path) is not there")
        }
        do { return try SchemaParser.parse(text) } catch {
            throw TransferFault("\(ExportFolder.schema), line \(error.line), column \(error.column): \(error.reason)")
        }
    }
}
