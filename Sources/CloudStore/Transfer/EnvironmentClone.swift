import CloudModel
import Foundation

/// Makes the development environment of a container a copy of production, while nobody else uses the data folder.
///
/// Development is what it was until the copy is whole.
package struct EnvironmentClone: Sendable {
    let data: DataFolder
    let accounts: AccountStore
    let container: Container
    let report: ReportProgress

    package init(
        of container: Container, in data: DataFolder, accounts: AccountStore,
        report: @escaping ReportProgress = { _ in }
    ) {
        self.container = container
        self.data = data
        self.accounts = accounts
        self.report = report
    }

    /// - Returns: what was copied.
    /// - Throws: ``TransferFault`` when nothing has ever been stored in production.
    package func run() async throws -> ExportManifest {
        let path = data.cloneFolder(container: container.id)
        let staged = StagedEnvironment(data: data, container: container.id, environment: .development)
        // What an interrupted clone has left is of another moment.
        try Self.remove(path)
        try staged.remove()
        let folder = ExportFolder(path: path)
        _ = try await EnvironmentExport(
            of: container, .production, in: data, accounts: accounts, to: folder, linksAssets: true, report: report
        ).run()
        let manifest = try await EnvironmentImport(
            of: folder, into: container, .development, in: data, accounts: accounts, report: report
        ).run(replaces: true, connectsUsers: false)
        try await accounts.forgetRegistrations(container: container.id, environment: .development)
        try Self.remove(path)
        return manifest
    }

    private static func remove(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.removeItem(atPath: path)
    }
}
