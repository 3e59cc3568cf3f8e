import CloudEngine
import CloudSQL

/// Passkeys that open the console alone.
///
/// A password suffices to add a passkey to an account, so a passkey is both factors only after an operator has entered a code
/// beside it once.
enum ConsolePasskeyTable {
    static let sql = Layout(
        sqlite: """
            CREATE TABLE consolePasskey (
                passkey BLOB PRIMARY KEY REFERENCES passkey ON DELETE CASCADE,
                account INTEGER NOT NULL REFERENCES consoleOperator ON DELETE CASCADE
            ) WITHOUT ROWID;
            CREATE INDEX consolePasskeyAccount ON consolePasskey(account);
            ALTER TABLE consoleLogin ADD COLUMN passkey BLOB;
            """,
        postgres: """
            CREATE TABLE consolePasskey (
                passkey BYTEA PRIMARY KEY REFERENCES passkey ON DELETE CASCADE,
                account BIGINT NOT NULL REFERENCES consoleOperator ON DELETE CASCADE
            );
            CREATE INDEX consolePasskeyAccount ON consolePasskey(account);
            ALTER TABLE consoleLogin ADD COLUMN passkey BYTEA;
            """)

    static func includes(_ passkey: [UInt8], of account: Int64, in db: SQLConnection) throws -> Bool {
        try db.exists(
            "SELECT 1 FROM consolePasskey WHERE passkey = ? AND account = ?", .blob(passkey), .integer(account))
    }

    /// Does nothing for a passkey that has been removed.
    static func add(_ passkey: [UInt8], of account: Int64, in db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO consolePasskey (passkey, account) SELECT id, account FROM passkey WHERE id = ? AND account = ?
            ON CONFLICT DO NOTHING
            """, .blob(passkey), .integer(account))
    }

    static func removeAll(of account: Int64, in db: SQLConnection) throws {
        try db.run("DELETE FROM consolePasskey WHERE account = ?", .integer(account))
    }
}
