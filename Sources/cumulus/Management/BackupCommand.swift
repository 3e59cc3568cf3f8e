import ArgumentParser
import CloudAccounts
import CloudAssets
import CloudEngine
import CloudModel
import CloudPostgres
import CloudTransfer
import Foundation

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Make backups of all data, check them and restore them.",
        discussion: """
            Backups are in a folder or a bucket, which 'backup.to' or --to names. 'backup.every' has a running server make \
            them by itself. Whoever can read them can read everybody's private records.
            """,
        subcommands: [Create.self, List.self, Verify.self, Prune.self, Restore.self])

    struct Place: ParsableArguments {
        @Option(
            name: [.long, .customLong("from")],
            help: ArgumentHelp("Folder or s3://bucket/prefix of the backups. (default: backup.to)", valueName: "place"))
        var to: String?

        func archive(_ settings: Settings) throws -> any Archive {
            guard settings.database.address == nil else { throw PostgresEngine.backupRefusal }
            guard let archive = try settings.backup.archive(at: to, data: settings.data) else {
                throw Complaint("no place for backups is set; name one with --to, or set backup.to")
            }
            return archive
        }
    }
}

extension BackupCommand {
    struct Create: FolderCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make a backup, beside a running server if there is one.",
            discussion: """
                Databases are copied whole, each as it is at one moment. Contents of assets are copied once: the next \
                backup costs only what is new. What an interrupted backup has left is none, and goes with the next.
                """)
        @OptionGroup var place: Place
        @OptionGroup var transfer: TransferOptions
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            let archive = try place.archive(common.reader().settings())
            let progress = transfer.progress
            defer { progress.end() }
            let manifest = try await BackupCreation(
                of: folder, accounts: accounts, to: archive, report: progress.report
            )
            .run()
            return Report(
                "Made the backup \(manifest.name) in \(archive.place): \(manifest.summary).",
                remark: manifest.remark, json: manifest.summaryJSON)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the backups, the oldest first.")
        @OptionGroup var place: Place
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            do {
                let settings = try common.reader().settings()
                let archive = try place.archive(settings)
                let entries = try await BackupArchive(archive, of: try settings.dataFolder()).list()
                Report.list(
                    entries, empty: "\(archive.place) has no backup yet.",
                    columns: ["NAME", "ENVIRONMENTS", "RECORDS", "ASSETS", "BYTES", "NEW BYTES", "VERSION"],
                    row: \.row, json: \.json
                ).print(asJSON: output.json)
            } catch { throw Complaint(error) }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Read all of a backup and compare it with what was written.",
            discussion: """
                Opens and recounts each database and reads every asset, and prints what is wrong and where; the exit \
                code is 1 if anything is.
                """)
        @Argument(help: "The backup's name. (default: the newest)") var name: String?
        @OptionGroup var place: Place
        @OptionGroup var transfer: TransferOptions
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let findings: BackupVerification.Findings
            do {
                let settings = try common.reader().settings()
                let progress = transfer.progress
                defer { progress.end() }
                findings = try await BackupVerification(
                    of: try settings.dataFolder(), in: try place.archive(settings), report: progress.report
                ).run(name)
            } catch { throw Complaint(error) }
            findings.report.print(asJSON: output.json)
            guard findings.problems.isEmpty else { throw ExitCode.failure }
        }
    }

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune",
            abstract: "Drop old backups, and contents that none of the others needs.")
        @Option(help: "The number of the newest backups that stay. (default: backup.keep)") var keep: Int?
        @OptionGroup var place: Place
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if let keep, keep < 1 { throw ValidationError("--keep must be 1 or more.") }
        }

        func run() async throws {
            do {
                let settings = try common.reader().settings()
                let outcome = try await BackupPruning(of: try settings.dataFolder(), in: try place.archive(settings))
                    .run(keeping: keep ?? settings.backup.keep)
                outcome.report.print(asJSON: output.json)
            } catch { throw Complaint(error) }
        }
    }

    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Put a backup into the place of all data; what was there is moved aside.",
            discussion: """
                No server may be running on the data folder. All of the backup is brought there and counted before \
                anything is changed. Clients begin anew where they have seen what the backup has not. Run the same command \
                again after an interruption.
                """)
        @Argument(help: "The backup's name. (default: the newest)") var name: String?
        @OptionGroup var place: Place
        @OptionGroup var transfer: TransferOptions
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            do {
                let settings = try common.reader().settings()
                let archive = try place.archive(settings)
                let folder = try settings.dataFolder()
                let lock = try ServerLock.take(folder, to: "restore", keepsBackupsOut: false)
                defer { lock.release() }
                let progress = transfer.progress
                defer { progress.end() }
                let outcome = try await BackupRestoration(of: folder, from: archive, report: progress.report).run(name)
                outcome.report(in: settings.data).print(asJSON: output.json)
            } catch { throw Complaint(error) }
        }
    }
}
