import CloudModel

/// The layouts of the databases in a backup, by the last migration that the program which made it knew.
struct BackupSchema: Hashable, Sendable {
    let accounts: String
    let records: String

    init(accounts: String, records: String) {
        self.accounts = accounts
        self.records = records
    }

    /// The layouts of this version of the program.
    init(in data: DataFolder) {
        accounts = AccountMigrations.all(in: data).last?.name ?? ""
        records = Migrations.all.last?.name ?? ""
    }

    /// Whether this version of the program can read them.
    func isKnown(in data: DataFolder) -> Bool {
        AccountMigrations.all(in: data).contains { $0.name == accounts }
            && Migrations.all.contains { $0.name == records }
    }
}
