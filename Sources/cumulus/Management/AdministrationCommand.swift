import ArgumentParser
import CloudModel
import CloudOperations

/// A command on a container's schema or roles.
protocol AdministrationCommand: AsyncParsableCommand {
    var container: String { get }
    var environment: ContainerEnvironment { get }
    var access: AccessOptions { get }
    var output: OutputOptions { get }
    func perform(_ administration: any Administration) async throws -> Report
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
