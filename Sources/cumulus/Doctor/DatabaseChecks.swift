import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import CloudStore

/// Checks the databases' presence and integrity.
struct DatabaseChecks {
    let settings: Settings
    let folder: DataFolder
    let accounts: AccountStore

    func run() async -> [Finding] { await layouts() + (await integrity()) }

    /// Whether this program version supports the databases' layouts.
    private func layouts() async -> [Finding] {
        do {
            let places = try await accounts.environments.made()
            let newer = places.compactMap { container, environment -> Finding? in
                do {
                    try folder.refuseNewerRecords(container: container.id, environment: environment)
                    return nil
                } catch let newer as NewerDatabase {
                    return .fail(
                        "layout", "\(environment.rawValue) of \(container.name): \(newer.fact)", NewerDatabase.remedy)
                } catch { return nil }
            }
            return newer.isEmpty ? [.ok("layout", "all databases are laid out as this version knows them")] : newer
        } catch { return [.fail("layout", "the accounts cannot be read: \(Self.words(error))", "see 'integrity'")] }
    }

    private func integrity() async -> [Finding] {
        guard settings.database.address == nil else {
            return [.ok("integrity", "PostgreSQL looks after its files; 'cumulus check' reads what is in them")]
        }
        do {
            let files = try await accounts.environments.made().map { container, environment in
                (
                    "\(environment.rawValue) of \(container.name)",
                    folder.recordsFile(container: container.id, environment: environment)
                )
            }
            let faults = ([("accounts", folder.accountsFile)] + files).compactMap(fault)
            return faults.isEmpty ? [.ok("integrity", "\(files.count + 1) databases are in order")] : faults
        } catch { return [Self.damaged("the accounts: \(Self.words(error))")] }
    }

    private func fault(of name: String, in path: String) -> Finding? {
        let engine = SQLiteEngine()
        do {
            guard let facts = try engine.locations.facts(of: path), !facts.isEmpty else {
                return .fail(
                    "integrity", "\(name) has lost its database, \(path)",
                    "put the file back, restore a backup, or accept the loss with 'cumulus container forget-data'")
            }
            return try engine.quickCheck(path).first.map { Self.damaged("\(name): \($0)") }
        } catch { return Self.damaged("\(name): \(Self.words(error))") }
    }

    private static func damaged(_ text: String) -> Finding {
        .fail("integrity", text, "stop the server, look at the disk, and restore a backup ('cumulus backup restore')")
    }

    private static func words(_ error: any Error) -> String {
        (error as? SQLError)?.message ?? Complaint(error).description
    }
}
