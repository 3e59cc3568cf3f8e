import ArgumentParser
import CloudServer
import CloudStore
import Foundation

/// A command that reads or changes accounts and credentials and reports what it did.
protocol ManagementCommand: AsyncParsableCommand {
    /// True if the command may be the first ever on a data folder.
    static var makesFolder: Bool { get }
    var common: CommonOptions { get }
    var output: OutputOptions { get }
    func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report
}

struct OutputOptions: ParsableArguments {
    @Flag(help: "Print the result as JSON.")
    var json = false
}

extension ManagementCommand {
    static var makesFolder: Bool { false }

    func run() async throws {
        let report: Report
        do {
            let settings = try common.reader().settings()
            if !Self.makesFolder, !FileManager.default.fileExists(atPath: settings.data + "/accounts.sqlite") {
                throw Complaint(
                    "there is no data in \(settings.data) yet; name the folder with --data, or begin with "
                        + "'cumulus container create'")
            }
            let folder = try settings.dataFolder()
            let accounts = try AccountStore(folder: folder, sessionLifetimes: settings.server.sessionLifetimes)
            report = try await perform(accounts, in: folder)
        } catch let exit as ExitCode {
            throw exit
        } catch {
            throw Complaint(error)
        }
        report.print(asJSON: output.json)
    }
}
