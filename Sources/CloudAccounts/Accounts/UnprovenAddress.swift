import CloudEngine
import CloudSQL

extension UserAccounts {
    /// Frees an unconfirmed address for the person who has proven it.
    ///
    /// An account with a connected identity or a passkey belongs to somebody: it only loses the address, and the password, which was for that
    /// address. Any other is deleted with its sessions, so that no earlier password stays valid.
    static func takeAddress(from account: Int64, in db: SQLConnection) throws {
        guard try PersonIdentity.exist(of: account, in: db) || WaysIn.havePasskey(account, in: db) else {
            try endSessions(account: account, in: db)
            try db.run("DELETE FROM account WHERE id = ?", .integer(account))
            return
        }
        try db.run("DELETE FROM registration WHERE account = ?", .integer(account))
        try db.run("DELETE FROM passwordReset WHERE account = ?", .integer(account))
        try db.run(
            "UPDATE account SET email = NULL, emailKey = NULL, emailVerified = 0, password = NULL WHERE id = ?",
            .integer(account))
    }
}
