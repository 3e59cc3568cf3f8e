import ArgumentParser
import CloudModel
import CloudStore
import Foundation

struct CheckCommand: ManagementCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check that all stored data is as it was written.",
        discussion: """
            Reads the databases, the JSON of every record, and the size and checksum of every asset, and prints what is \
            wrong and where; the exit code is 1 if anything is. It changes nothing, and a server may go on serving the \
            data folder.
            """)

    @Argument(help: "The container's name; all containers without one.") var container: String?
    @Option(help: "development or production; both without one.") var environment: ContainerEnvironment?
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var common: CommonOptions
    @OptionGroup var output: OutputOptions

    func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
        if let container { _ = try await accounts.requireContainer(named: container) }
        let progress = transfer.progress
        defer { progress.end() }
        var problems = try await accounts.problems().map { "accounts: \($0)" }
        var (records, assets, environments) = (0, 0, 0)
        for place in try await accounts.madeEnvironments()
        where container ?? place.container.name == place.container.name
            && environment ?? place.environment == place.environment
        {
            let findings = await EnvironmentCheck(
                of: place.container, place.environment, in: folder, report: progress.report
            ).run()
            let name = "\(place.environment.rawValue) of \(place.container.name)"
            problems += findings.problems.map { "\(name): \($0)" }
            if findings.more > 0 { problems.append("\(name): \(findings.more) more") }
            records += findings.records
            assets += findings.assets
            environments += 1
        }
        let looked = "Checked environments: \(environments), records: \(records), assets: \(assets)"
        let report = Report(
            (problems + ["\(looked). \(problems.isEmpty ? "All is well." : "Problems: \(problems.count).")"])
                .joined(separator: "\n"),
            json: .members([
                "environments": .integer(Int64(environments)), "records": .integer(Int64(records)),
                "assets": .integer(Int64(assets)), "problems": .array(problems.map(JSONValue.string)),
            ]))
        guard !problems.isEmpty else { return report }
        progress.end()
        report.print(asJSON: output.json)
        throw ExitCode.failure
    }
}
