import CloudSQL

/// The management token or operator that made a credential.
package enum CredentialMaker: Hashable, Sendable {
    case managementToken(Int64)
    /// The row id of the operator's account.
    case `operator`(account: Int64)

    /// The text in the accounts file.
    var text: String {
        switch self {
        case .managementToken(let id): "t\(id)"
        case .operator(let account): "o\(account)"
        }
    }

    /// Adds the makers of credentials, and a mark for revoked management tokens, which stay while credentials made by them are
    /// valid.
    static let columns = Layout(
        sqlite: """
            ALTER TABLE managementToken ADD COLUMN maker TEXT;
            ALTER TABLE managementToken ADD COLUMN isRevoked INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE apiToken ADD COLUMN maker TEXT;
            ALTER TABLE serverKey ADD COLUMN maker TEXT;
            ALTER TABLE webhook ADD COLUMN maker TEXT;
            ALTER TABLE session ADD COLUMN maker TEXT;
            ALTER TABLE consoleOperator ADD COLUMN maker TEXT;
            CREATE INDEX managementTokenMaker ON managementToken(maker) WHERE maker IS NOT NULL;
            CREATE INDEX apiTokenMaker ON apiToken(maker) WHERE maker IS NOT NULL;
            CREATE INDEX serverKeyMaker ON serverKey(maker) WHERE maker IS NOT NULL;
            CREATE INDEX webhookMaker ON webhook(maker) WHERE maker IS NOT NULL;
            CREATE INDEX sessionMaker ON session(maker) WHERE maker IS NOT NULL;
            CREATE INDEX consoleOperatorMaker ON consoleOperator(maker) WHERE maker IS NOT NULL;
            """,
        postgres: """
            ALTER TABLE managementToken ADD COLUMN maker TEXT COLLATE "C";
            ALTER TABLE managementToken ADD COLUMN isRevoked BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE apiToken ADD COLUMN maker TEXT COLLATE "C";
            ALTER TABLE serverKey ADD COLUMN maker TEXT COLLATE "C";
            ALTER TABLE webhook ADD COLUMN maker TEXT COLLATE "C";
            ALTER TABLE session ADD COLUMN maker TEXT COLLATE "C";
            ALTER TABLE consoleOperator ADD COLUMN maker TEXT COLLATE "C";
            CREATE INDEX managementTokenMaker ON managementToken(maker) WHERE maker IS NOT NULL;
            CREATE INDEX apiTokenMaker ON apiToken(maker) WHERE maker IS NOT NULL;
            CREATE INDEX serverKeyMaker ON serverKey(maker) WHERE maker IS NOT NULL;
            CREATE INDEX webhookMaker ON webhook(maker) WHERE maker IS NOT NULL;
            CREATE INDEX sessionMaker ON session(maker) WHERE maker IS NOT NULL;
            CREATE INDEX consoleOperatorMaker ON consoleOperator(maker) WHERE maker IS NOT NULL;
            """)

    /// The makers of removed operators, kept while credentials made by those operators are left.
    static let removedOperators = Layout(
        sqlite: """
            CREATE TABLE removedOperator (
                account INTEGER NOT NULL,
                maker TEXT NOT NULL,
                PRIMARY KEY (account, maker)
            );
            CREATE INDEX removedOperatorMaker ON removedOperator(maker);
            """,
        postgres: """
            CREATE TABLE removedOperator (
                account BIGINT NOT NULL,
                maker TEXT COLLATE "C" NOT NULL,
                PRIMARY KEY (account, maker)
            );
            CREATE INDEX removedOperatorMaker ON removedOperator(maker);
            """)
}
