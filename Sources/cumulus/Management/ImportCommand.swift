import ArgumentParser
import CloudAccounts
import CloudEngine
import CloudModel
import CloudTransfer
import Foundation

struct ImportCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take an export into an empty environment of a container.",
        discussion: """
            No server may be running on the data folder. Run the same command again to go on after an interruption; \
            nothing of an import is served before all of it is there.
            """)
    static let makesFolder = true

    @Argument(help: "The folder that 'cumulus export' has written.") var folder: String
    @Option(help: "The container to import into, made when it is not there. (default: the exported one's name)")
    var container: String?
    @Option(help: "development or production. (default: the exported one)") var environment: ContainerEnvironment?
    @Flag(help: "Leave accounts alone: nobody here becomes one of the export's users.") var withoutUsers = false
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var common: CommonOptions
    @OptionGroup var output: OutputOptions

    func perform(_ accounts: AccountStore, in data: DataFolder) async throws -> Report {
        let lock = try ServerLock.take(data, to: "import")
        defer { lock.release() }
        let source = ExportFolder(path: folder)
        let manifest = try ExportManifest.readComplete(source)
        let target = try await accounts.containers.ensure(name: container ?? manifest.container)
        let targetEnvironment = environment ?? manifest.environment
        let progress = transfer.progress
        defer { progress.end() }
        _ = try await EnvironmentImport(
            of: source, into: target, targetEnvironment, in: data, accounts: accounts, report: progress.report
        ).run(connectsUsers: !withoutUsers)
        return Report(
            "Imported \(folder) into \(targetEnvironment.rawValue) of \(target.name): \(manifest.summary).",
            remark: manifest.remark, json: manifest.summaryJSON)
    }
}
