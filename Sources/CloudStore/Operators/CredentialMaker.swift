import CloudSQL

/// The management token or the operator that made a credential.
package enum CredentialMaker: Hashable, Sendable {
    case managementToken(Int64)
    /// By the row id of the account.
    case `operator`(account: Int64)

    /// As the accounts file has it.
    var text: String {
        switch self {
        case .managementToken(let id): "t\(id)"
        case .operator(let account): "o\(account)"
        }
    }

    /// The accounts file's columns of it, and of management tokens that are revoked but have made what is still there.
    static let columns = """
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
        """

    /// The makers of removed operators, as long as something made by the operators is left.
    static let removedOperators = """
        CREATE TABLE removedOperator (
            account INTEGER NOT NULL,
            maker TEXT NOT NULL,
            PRIMARY KEY (account, maker)
        );
        CREATE INDEX removedOperatorMaker ON removedOperator(maker);
        """
}
