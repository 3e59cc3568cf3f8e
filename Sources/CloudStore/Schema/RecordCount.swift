import CloudModel
import GRDB

/// How many records a type has, without counting further than it matters.
struct RecordCount {
    private let table: String

    init(_ type: RecordType) { table = SchemaTables.table(type) }

    func isAtMost(_ most: Int, _ db: Database) throws -> Bool {
        if most == .max { return true }
        return try db.first("SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT ?)", .integer(Int64(most) + 1)) {
            $0.integer(0) <= most
        } ?? true
    }
}
