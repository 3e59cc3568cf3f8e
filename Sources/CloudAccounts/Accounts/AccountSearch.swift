import CloudEngine
import CloudModel
import CloudSQL

extension UserAccounts {
    /// A page of accounts, sorted by email address; accounts without one follow, by id.
    ///
    /// - Parameters:
    ///   - name: the ``UserAccount/handle`` of the last account of the previous page; nil for the first page.
    ///   - text: only accounts with this text in their address or name, with this id or with this user record name; nil for
    ///     all.
    package func list(after name: String?, matching text: String?, limit: Int) async throws -> [UserAccount] {
        let search = AccountSearch(text: text)
        let last = name.flatMap(UserAccount.id)
        return try await database.pool.read { db in
            let key = name.map(EmailAddress.key) ?? ""
            let found =
                last == nil ? try search.run("emailKey > ?4", "emailKey", .text(key), limit: limit, in: db) : []
            let left = limit - found.count
            guard left > 0 else { return found }
            return found
                + (try search.run("emailKey IS NULL AND id > ?4", "id", .integer(last ?? 0), limit: left, in: db))
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

/// A search for accounts by a text.
private struct AccountSearch: Sendable {
    let text: String?

    private var pattern: String? {
        text.map { text in
            "%" + text.lowercased().reduce(into: "") { $0 += ["%", "_", "\\"].contains($1) ? "\\\($1)" : "\($1)" } + "%"
        }
    }

    func run(
        _ condition: String, _ order: String, _ after: SQLValue, limit: Int, in db: SQLConnection
    ) throws -> [UserAccount] {
        try db.all(
            """
            SELECT \(UserAccount.columns) FROM account
            WHERE \(condition) AND (CAST(?1 AS TEXT) IS NULL OR emailKey LIKE ?1 ESCAPE '\\'
                OR lower(COALESCE(givenName, '') || ' ' || COALESCE(familyName, '')) LIKE ?1 ESCAPE '\\'
                OR id IN (SELECT account FROM userRecord WHERE recordName = ?2)
                OR id = ?3)
            ORDER BY \(order) LIMIT ?5
            """, .text(optional: pattern), .text(text ?? ""), .integer(text.flatMap(UserAccount.id) ?? 0), after,
            .integer(Int64(limit)), read: UserAccount.init(row:))
    }
}
