import CloudEngine
import CloudModel
import CloudSQL

/// Changes to a person's own account.
extension UserAccounts {
    /// Returns true if the account has a password; test accounts may lack a password.
    package func hasPassword(_ account: UserAccount) async throws -> Bool {
        try await database.pool.read { db in
            try db.exists("SELECT 1 FROM account WHERE id = ? AND password IS NOT NULL", .integer(account.id))
        }
    }

    /// - Parameters:
    ///   - given: the given name; nil for none.
    ///   - family: the family name; nil for none.
    package func setNames(given: String?, family: String?, of account: UserAccount) async throws {
        try await database.pool.write { db in
            _ = try db.run(
                "UPDATE account SET givenName = ?, familyName = ? WHERE id = ?", .text(optional: given),
                .text(optional: family), .integer(account.id))
        }
    }
}
