import CloudEngine
import CloudSQL

/// The tables of passkeys.
enum PasskeyTable {
    /// A passkey keeps the relying-party id it was made for: it is good for no other. `passkeyUser` holds each account's
    /// `user.id`, which authenticators store with the passkey.
    static let sql = Layout(
        sqlite: """
            CREATE TABLE passkeyUser (
                account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
                handle BLOB NOT NULL UNIQUE
            );
            CREATE TABLE passkey (
                id BLOB PRIMARY KEY,
                account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                relyingParty TEXT NOT NULL,
                publicKey BLOB NOT NULL,
                signCount INTEGER NOT NULL,
                isBackupEligible INTEGER NOT NULL,
                isBackedUp INTEGER NOT NULL,
                transports TEXT NOT NULL,
                model BLOB NOT NULL,
                name TEXT NOT NULL,
                created REAL NOT NULL,
                lastUsed REAL
            ) WITHOUT ROWID;
            CREATE INDEX passkeyAccount ON passkey(account);
            CREATE INDEX passkeyRelyingParty ON passkey(relyingParty);
            """,
        postgres: """
            CREATE TABLE passkeyUser (
                account BIGINT PRIMARY KEY REFERENCES account ON DELETE CASCADE,
                handle BYTEA NOT NULL UNIQUE
            );
            CREATE TABLE passkey (
                id BYTEA PRIMARY KEY,
                account BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
                relyingParty TEXT COLLATE "C" NOT NULL,
                publicKey BYTEA NOT NULL,
                signCount BIGINT NOT NULL,
                isBackupEligible BIGINT NOT NULL,
                isBackedUp BIGINT NOT NULL,
                transports TEXT COLLATE "C" NOT NULL,
                model BYTEA NOT NULL,
                name TEXT COLLATE "C" NOT NULL,
                created DOUBLE PRECISION NOT NULL,
                lastUsed DOUBLE PRECISION
            );
            CREATE INDEX passkeyAccount ON passkey(account);
            CREATE INDEX passkeyRelyingParty ON passkey(relyingParty);
            """)
}
