import CloudModel
import CloudSQL

/// The row count of one table or list.
struct BackupCount: Hashable, Sendable {
    let name: String
    let rows: Int64

    /// Counts the rows in a database copy.
    ///
    /// - Parameter isAccounts: whether the copy is of the accounts database.
    static func all(isAccounts: Bool, _ db: SQLConnection) throws -> [BackupCount] {
        guard isAccounts else {
            let counts = try ExportSummary.counts(db)
            return try TransferList.allCases.compactMap { list in
                counts[list].map { BackupCount(name: list.rawValue, rows: $0) }
            } + [BackupCount(name: "position", rows: db.first("SELECT position FROM store") { $0.integer(0) } ?? 0)]
        }
        return try [
            ("containers", "container"), ("environments", "madeEnvironment"), ("people", "account"),
            ("userRecords", "userRecord"), ("apiTokens", "apiToken"), ("serverKeys", "serverKey"),
            ("sessions", "session"), ("webhooks", "webhook"),
        ].map { name, table in
            BackupCount(name: name, rows: try db.first("SELECT count(*) FROM \(table)") { $0.integer(0) } ?? 0)
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("name", name)
            $0.member("rows", rows)
        }
    }

    init(name: String, rows: Int64) {
        self.name = name
        self.rows = rows
    }

    init(_ line: TransferLine) throws(TransferLine.Fault) {
        name = try line.text("name")
        rows = try line.integer("rows", in: TransferLine.numbers)
    }

    /// The first difference between found and expected counts, as the end of a sentence; nil if all match.
    static func difference(_ found: [BackupCount], _ counted: [BackupCount]) -> String? {
        for count in counted {
            let rows = found.first { $0.name == count.name }?.rows ?? 0
            if rows != count.rows { return "\(rows) \(count.name) are in it, and \(count.rows) were counted" }
        }
        return nil
    }
}
