import CloudModel
import Foundation

/// Makes the development environment of a container a copy of production, while nobody else uses the data folder.
///
/// Development is what it was until the copy is whole. What fails leaves nothing of the copy.
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

    /// - Returns: what was copied.
    /// - Throws: ``TransferFault`` when nothing has ever been stored in production.
    package func run() async throws -> ExportManifest {
        do {
            // What an interrupted clone has left is of another moment.
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

    /// Leaves both environments and nothing between them.
    private func clear() async throws {
        let path = data.cloneFolder(container: container.id)
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        try await StagedEnvironment(data: data, container: container.id, environment: .development).remove()
    }
}
