import CloudAccounts
import CloudEngine
import CloudServer
import ArgumentParser
import CloudModel
import CloudOperations

/// A command that runs operations, either on the data folder or through a server, and reports the answers.
protocol ManagementCommand: AsyncParsableCommand {
    /// True if the command may create the data folder.
    static var makesFolder: Bool { get }
    var access: AccessOptions { get }
    var output: OutputOptions { get }
    func perform(_ operations: any Operations) async throws -> Report
}

/// A command that works directly on the data folder.
protocol FolderCommand: AsyncParsableCommand {
    /// True if the command may create the data folder.
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
            report = try await perform(try access.operations(makesFolder: Self.makesFolder))
        } catch let exit as ExitCode {
            throw exit
        } catch {
            throw Complaint(error)
        }
        report.print(asJSON: output.json)
    }
}

extension FolderCommand {
    static var makesFolder: Bool { false }

    func run() async throws {
        let report: Report
        do {
            let settings = try common.reader().settings()
            let folder = try settings.dataFolder(mayBeNew: Self.makesFolder)
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
