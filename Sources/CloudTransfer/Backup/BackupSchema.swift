import CloudAccounts
import CloudEngine
import CloudModel
import CloudStore

/// The database layouts in a backup, each as the name of its last migration.
struct BackupSchema: Hashable, Sendable {
    let accounts: String
    let records: String

    init(accounts: String, records: String) {
        self.accounts = accounts
        self.records = records
    }

    /// The layouts that this program version writes.
    init(in data: DataFolder) {
        accounts = AccountMigrations.all(in: data).last?.name ?? ""
        records = Migrations.all.last?.name ?? ""
    }

    /// Whether this program version can read both layouts.
    func isKnown(in data: DataFolder) -> Bool {
        AccountMigrations.all(in: data).contains { $0.name == accounts }
            && Migrations.all.contains { $0.name == records }
    }
}
