import CloudModel
import CloudSQL

/// A type's record count, up to a limit.
struct RecordCount {
    private let table: String

    init(_ type: RecordType) { table = SchemaTables.table(type) }

    func isAtMost(_ most: Int, _ db: SQLConnection) throws -> Bool { try upTo(most, db) != nil }

    /// - Returns: nil for more than `most` records.
    func upTo(_ most: Int, _ db: SQLConnection) throws -> Int? {
        let count =
            try db.first(
                "SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT ?) AS part", .integer(Int64(max(most, 0)) + 1)
            ) {
                Int($0.integer(0))
            } ?? 0
        return count <= most ? count : nil
    }
}
