import CloudEngine
import CloudModel
import CloudSQL

extension UserAccounts {
    /// A page of accounts, sorted by email address.
    ///
    /// - Parameters:
    ///   - email: the last address of the previous page; nil for the first page.
    ///   - text: only accounts with this text in their address or name, or with this user record name; nil for all.
    package func list(after email: String?, matching text: String?, limit: Int) async throws -> [UserAccount] {
        let pattern = text.map { text in
            "%" + text.lowercased().reduce(into: "") { $0 += ["%", "_", "\\"].contains($1) ? "\\\($1)" : "\($1)" } + "%"
        }
        return try await database.pool.read { db in
            try db.all(
                """
                SELECT \(UserAccount.columns) FROM account
                WHERE emailKey > ?1 AND (CAST(?2 AS TEXT) IS NULL OR emailKey LIKE ?2 ESCAPE '\\'
                    OR lower(COALESCE(givenName, '') || ' ' || COALESCE(familyName, '')) LIKE ?2 ESCAPE '\\'
                    OR id IN (SELECT account FROM userRecord WHERE recordName = ?3))
                ORDER BY emailKey LIMIT ?4
                """, .text(email.map(EmailAddress.key) ?? ""), .text(optional: pattern), .text(text ?? ""),
                .integer(Int64(limit)), read: UserAccount.init(row:))
        }
    }

    /// The number of accounts.
    package func count() async throws -> Int {
        try await database.pool.read { db in try db.first("SELECT COUNT(*) FROM account") { Int($0.integer(0)) } ?? 0 }
    }
}

extension ContainerUsers {
    /// Containers in which an account is a user, by name, with the account's user record name in each.
    package func recordNames(account: Int64) async throws -> [(container: String, recordName: String)] {
        try await database.pool.read { db in
            try db.all(
                """
                SELECT container.name, recordName FROM userRecord JOIN container ON container.id = userRecord.container
                WHERE account = ? ORDER BY container.name
                """, .integer(account)
            ) { (container: $0.text(0), recordName: $0.text(1)) }
        }
    }
}
