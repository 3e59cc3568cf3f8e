import ArgumentParser
import CloudModel
import CloudServer
import CloudStore
import Foundation

/// A command about a container's schema or roles. It works on the data folder when no server holds it, else through the
/// server that does, else through the one that `--server` names.
protocol AdministrationCommand: AsyncParsableCommand {
    var container: String { get }
    var environment: ContainerEnvironment { get }
    var access: AccessOptions { get }
    var output: OutputOptions { get }
    func perform(_ administration: any Administration) async throws -> Report
}

struct AccessOptions: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @Option(
        help: ArgumentHelp(
            "Origin of a server to speak to, such as https://cloud.example.com, rather than the data folder.",
            valueName: "url"))
    var server: String?
    @Option(
        help: ArgumentHelp(
            "File with the management token for --server; else it is in \(ManagementTokenSource.variable).",
            valueName: "file"))
    var managementTokenFile: String?

    /// Hands `body` the administration of one environment of a container.
    func withAdministration<T>(
        of container: String, _ environment: ContainerEnvironment,
        _ body: (any Administration) async throws -> T
    ) async throws -> T {
        if let server {
            return try await body(
                try RemoteAdministration(
                    origin: server, token: ManagementTokenSource.text(file: managementTokenFile),
                    container: container, environment))
        }
        let settings = try common.reader().settings()
        return try await LocalAdministration(settings: settings, container: container, environment: environment)
            .run(body)
    }
}

extension AdministrationCommand {
    func run() async throws {
        let report: Report
        do {
            report = try await access.withAdministration(of: container, environment) { try await perform($0) }
        } catch let exit as ExitCode {
            throw exit
        } catch {
            throw Complaint(error)
        }
        report.print(asJSON: output.json)
    }
}
