import CloudEngine
import CloudModel
import CloudSQL

extension ContainerUsers {
    /// The user's record name in a container (reference B §5.0), created if missing.
    static func recordName(account: Int64, container: Int64, in db: SQLConnection) throws -> String {
        try db.run(
            "INSERT INTO userRecord (container, recordName, account) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            .integer(container), .text(RandomText.userRecordName()), .integer(account))
        let name = try db.first(
            "SELECT recordName FROM userRecord WHERE account = ? AND container = ?", .integer(account),
            .integer(container)
        ) { $0.text(0) }
        guard let name else {
            throw ServerError(.internalError, "the user record name was not stored", .server(.fault))
        }
        return name
    }

    /// Returns true if a user or a server-to-server key of the container has this record name.
    package func has(_ recordName: String, container: Int64) async throws -> Bool {
        // PostgreSQL refuses text with U+0000.
        guard !recordName.utf8.contains(0) else { return false }
        let sql = """
            SELECT EXISTS (SELECT 1 FROM userRecord WHERE container = ? AND recordName = ?)
                OR EXISTS (SELECT 1 FROM serverKey WHERE container = ? AND userRecordName = ?)
            """
        return try await database.pool.read { db in
            try db.first(sql, .integer(container), .text(recordName), .integer(container), .text(recordName)) {
                $0.bool(0)
            } ?? false
        }
    }

    /// The user's record name in a container, created if missing.
    package func recordName(account: Int64, container: Int64) async throws -> String {
        try await database.pool.write { try Self.recordName(account: account, container: container, in: $0) }
    }
}
