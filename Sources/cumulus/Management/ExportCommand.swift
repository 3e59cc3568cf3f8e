import ArgumentParser
import CloudAccounts
import CloudEngine
import CloudModel
import CloudTransfer
import Foundation

struct ExportCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write one environment of a container into a folder.",
        discussion: """
            The folder gets the schema, all records, assets, shares, subscriptions and key-value stores as they are \
            now; a server may go on serving them. Run the same command again to go on after an interruption. Whoever \
            can read the folder can read everybody's private records.
            """)

    @Argument(help: "The container's name.") var container: String
    @Option(help: "development or production.") var environment: ContainerEnvironment
    @Option(help: ArgumentHelp("Folder to write into, made when it is not there.", valueName: "folder")) var to: String
    @Flag(help: "Give the server's own files of assets further names instead of copying them, where that can be.")
    var linkAssets = false
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var common: CommonOptions
    @OptionGroup var output: OutputOptions

    func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
        let source = try await accounts.containers.require(named: container)
        let progress = transfer.progress
        defer { progress.end() }
        let manifest = try await EnvironmentExport(
            of: source, environment, in: folder, accounts: accounts, to: ExportFolder(path: to),
            linksAssets: linkAssets, report: progress.report
        ).run()
        return Report(
            "Exported \(environment.rawValue) of \(container) to \(to): \(manifest.summary).",
            remark: manifest.remark,
            json: manifest.summaryJSON)
    }
}
