import CloudModel
import CloudSQL

/// Changes that people make to their own accounts.
extension AccountStore {
    /// Returns true if the account has a password; one made for tests may have none.
    package func hasPassword(_ account: UserAccount) async throws -> Bool {
        try await pool.read { db in
            try db.exists("SELECT 1 FROM account WHERE id = ? AND password IS NOT NULL", .integer(account.id))
        }
    }

    /// - Parameters:
    ///   - given: nil for none.
    ///   - family: nil for none.
    package func setNames(given: String?, family: String?, of account: UserAccount) async throws {
        try await pool.write { db in
            _ = try db.run(
                "UPDATE account SET givenName = ?, familyName = ? WHERE id = ?", .text(optional: given),
                .text(optional: family), .integer(account.id))
        }
    }
}
