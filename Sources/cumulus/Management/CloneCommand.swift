import ArgumentParser
import CloudAccounts
import CloudEngine
import CloudModel
import CloudTransfer
import Foundation

struct CloneCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "clone", abstract: "Make a container's development environment a copy of production.",
        discussion: """
            Development gets the schema and the data of production, everybody's private records included, and loses \
            what it had. No server may be running on the data folder.
            """)

    @Argument(help: "The container's name.") var container: String
    @Flag(help: "Do not ask.") var yes = false
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var common: CommonOptions
    @OptionGroup var output: OutputOptions

    func perform(_ accounts: AccountStore, in data: DataFolder) async throws -> Report {
        let container = try await accounts.containers.require(named: container)
        let lock = try ServerLock.take(data, to: "clone")
        defer { lock.release() }
        if !yes { try confirm() }
        let progress = transfer.progress
        defer { progress.end() }
        let manifest = try await EnvironmentClone(
            of: container, in: data, accounts: accounts, report: progress.report
        ).run()
        return Report(
            "Development of \(container.name) is a copy of production: \(manifest.summary).",
            remark: manifest.remark, json: manifest.summaryJSON)
    }

    private func confirm() throws {
        guard Terminal.isInteractive else {
            throw Complaint("the data in development of \(container) would be lost; add --yes to confirm")
        }
        let question = "Delete all that development of \(container) has? Type the container's name to go on: "
        guard Terminal.ask(question) == container else { throw Complaint("nothing was changed") }
    }
}
