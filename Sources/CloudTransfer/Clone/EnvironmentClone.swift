package import CloudAccounts
package import CloudEngine
import CloudModel
import Foundation

/// Replaces a container's development environment by a copy of production. No other process may use the data folder.
///
/// Development stays unchanged until the copy is complete. A failed clone removes its files.
package struct EnvironmentClone: Sendable {
    let data: DataFolder
    let accounts: AccountStore
    let container: Container
    let report: ReportProgress
    var reached: ReachedStep = { _ in }

    package init(
        of container: Container, in data: DataFolder, accounts: AccountStore,
        report: @escaping ReportProgress = { _ in }
    ) {
        self.container = container
        self.data = data
        self.accounts = accounts
        self.report = report
    }

    /// - Returns: the manifest of the copied export.
    /// - Throws: ``TransferFault`` when production was never used.
    package func run() async throws -> ExportManifest {
        do {
            // The remains of an interrupted clone are outdated.
            try await clear()
            let manifest = try await copy()
            try await clear()
            return manifest
        } catch {
            try? await clear()
            throw TransferFault.worded(error)
        }
    }

    private func copy() async throws -> ExportManifest {
        let folder = ExportFolder(path: data.cloneFolder(container: container.id))
        var source = EnvironmentExport(
            of: container, .production, in: data, accounts: accounts, to: folder, linksAssets: true, report: report)
        source.reached = reached
        _ = try await source.run()
        var target = try EnvironmentImport(
            of: folder, into: container, .development, in: data, accounts: accounts, report: report)
        target.reached = reached
        return try await target.run(replaces: true, connectsUsers: false)
    }

    /// Removes the intermediate export and the staged environment.
    private func clear() async throws {
        let path = data.cloneFolder(container: container.id)
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        try await StagedEnvironment(data: data, container: container.id, environment: .development).remove()
    }
}
