import CloudAccounts
import CloudHTTP
import CloudServer
import ArgumentParser
import CloudModel
import CloudPostgres

/// `cumulus doctor`: checks this machine, the data folder, the settings and the route to the server.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look for what is wrong with this machine, the settings and the way to the server.",
        discussion: """
            Prints a line for each thing it looks at, ok, warn or fail, and under it what to do; the exit code is 1 if \
            anything fails. It mends nothing by itself. Run it as the user that the server runs as and with its settings, with the \
            server running to have its public URL looked at. 'cumulus check' reads all that is stored, which takes longer.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let findings: [Finding]
        do {
            let reader = try common.reader()
            findings = await Self.findings(try reader.settings())
        } catch {
            // Without readable settings no other check can run.
            findings = [.fail("settings", Complaint(error).description, "mend that setting and run the command again")]
        }
        let counts = [Finding.Level.ok, .warn, .fail].map { level in
            "\(level.rawValue): \(findings.filter { $0.level == level }.count)"
        }
        Report(
            (findings.map(\.lines) + [counts.joined(separator: ", ")]).joined(separator: "\n"),
            json: .array(findings.map(\.json))
        ).print(asJSON: output.json)
        if findings.contains(where: { $0.level == .fail }) { throw ExitCode.failure }
    }

    private static func findings(_ settings: Settings) async -> [Finding] {
        var findings = SettingsChecks(settings: settings).run()
        findings += await MachineChecks.run()
        findings += FolderChecks(path: settings.data).run(leastFree: settings.server.limits.freeBytes)
        do {
            let folder = try settings.dataFolder(mayBeNew: false)
            let accounts = try AccountStore(folder: folder, sessionLifetimes: settings.server.sessionLifetimes)
            findings += await DatabaseChecks(settings: settings, folder: folder, accounts: accounts).run()
            findings += await WaysInCheck(settings: settings, accounts: accounts).run()
            findings += await AssetChecks(settings: settings, folder: folder).run()
            findings += await BackupChecks(settings: settings, folder: folder).run()
            findings += await ServerChecks(settings: settings, folder: folder, accounts: accounts).run()
        } catch let unusable as PostgresUnusable {
            findings.append(
                .fail("database", unusable.description, "change the database or 'database.url' as it says"))
        } catch {
            findings.append(
                .fail(
                    "data", Complaint(error).description, "name the data folder of the server with --data, as its user")
            )
        }
        return findings
    }
}
