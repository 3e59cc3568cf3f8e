import CloudEngine
import CloudModel
import CloudSQL

/// A valid credential, made by a management token or an operator.
package struct MadeCredential: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case managementToken, apiToken, serverKey, webhook, session, `operator`
    }

    package let kind: Kind
    /// The id for revoking the credential; of an operator, the email address.
    package let id: String
    /// The credential's name; of a session the email address, of a webhook the host.
    package let name: String
    /// Nil for a credential for all containers.
    package let container: String?
}

/// Credentials that a maker made directly or through credentials made earlier.
struct MadeCredentials {
    private let maker: CredentialMaker
    private let now: Timestamp

    init(by maker: CredentialMaker, now: Timestamp) {
        self.maker = maker
        self.now = now
    }

    /// Revoked tokens and removed operators count as makers, so that credentials made by them are found.
    private static let makers = """
        WITH RECURSIVE made(maker) AS (
            SELECT CAST(?1 AS TEXT)
            UNION
            SELECT child.name FROM made JOIN (
                SELECT maker, 't' || CAST(id AS TEXT) AS name FROM managementToken WHERE maker IS NOT NULL
                UNION ALL SELECT maker, 'o' || CAST(account AS TEXT) FROM consoleOperator WHERE maker IS NOT NULL
                UNION ALL SELECT maker, 'o' || CAST(account AS TEXT) FROM removedOperator
            ) AS child ON child.maker = made.maker
        )
        """

    /// Queries for each kind: id, name and container.
    private static let rows: [(kind: MadeCredential.Kind, sql: String)] = [
        (
            .managementToken,
            """
            SELECT CAST(managementToken.id AS TEXT), managementToken.name, container.name
            FROM managementToken LEFT JOIN container ON container.id = container
            WHERE isRevoked = 0 AND (expires IS NULL OR expires > ?2) AND maker IN (SELECT maker FROM made)
            ORDER BY managementToken.id
            """
        ),
        (
            .apiToken,
            """
            SELECT CAST(apiToken.id AS TEXT), apiToken.name, container.name
            FROM apiToken JOIN container ON container.id = container
            WHERE maker IN (SELECT maker FROM made) ORDER BY apiToken.id
            """
        ),
        (
            .serverKey,
            """
            SELECT serverKey.id, serverKey.name, container.name
            FROM serverKey JOIN container ON container.id = container
            WHERE revoked = 0 AND maker IN (SELECT maker FROM made)
            ORDER BY serverKey.created, serverKey.id
            """
        ),
        (
            .webhook,
            """
            SELECT CAST(webhook.id AS TEXT), webhook.url, container.name
            FROM webhook JOIN container ON container.id = container
            WHERE isRemoved = 0 AND maker IN (SELECT maker FROM made) ORDER BY webhook.id
            """
        ),
        (
            .session,
            """
            SELECT CAST(session.id AS TEXT), COALESCE(account.email, CAST(account.id AS TEXT)), container.name
            FROM session JOIN account ON account.id = session.account JOIN container ON container.id = container
            WHERE expires > ?2 AND maker IN (SELECT maker FROM made) ORDER BY session.id
            """
        ),
        (
            .operator,
            """
            SELECT COALESCE(account.email, CAST(account.id AS TEXT)), COALESCE(account.email, CAST(account.id AS TEXT)), NULL
            FROM consoleOperator JOIN account ON account.id = consoleOperator.account
            WHERE maker IN (SELECT maker FROM made) ORDER BY account.emailKey IS NULL, account.emailKey, account.id
            """
        ),
    ]

    /// The valid credentials, by kind, then age; operators by address.
    func all(in db: SQLConnection) throws -> [MadeCredential] {
        try Self.rows.flatMap { kind, sql in
            let read = { (row: SQLRow) in
                MadeCredential(
                    kind: kind, id: row.text(0),
                    name: kind == .webhook ? WebhookURL.shown(row.text(1)) : row.text(1),
                    container: row.optionalText(2))
            }
            return sql.contains("?2")
                ? try db.all("\(Self.makers) \(sql)", .text(maker.text), .seconds(now), read: read)
                : try db.all("\(Self.makers) \(sql)", .text(maker.text), read: read)
        }
    }

    /// Keeps an operator's maker beyond the operator. Called before the operator or its account is deleted.
    static func keepMaker(ofOperator account: Int64, in db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO removedOperator (account, maker)
            SELECT account, maker FROM consoleOperator WHERE account = ? AND maker IS NOT NULL ON CONFLICT DO NOTHING
            """, .integer(account))
    }

    /// Hands credentials that an account made as a former operator to that operator's maker, so that they do not count as made
    /// through the account's next maker. Called before the account becomes an operator again.
    static func releaseMaker(ofOperator account: Int64, in db: SQLConnection) throws {
        let current = try db.first("SELECT account FROM consoleOperator WHERE account = ?", .integer(account)) {
            $0.integer(0)
        }
        guard current == nil else { return }
        let maker = try db.first("SELECT maker FROM removedOperator WHERE account = ?", .integer(account)) {
            $0.text(0)
        }
        try db.run("DELETE FROM removedOperator WHERE account = ?", .integer(account))
        for table in makerTables {
            try db.run(
                "UPDATE \(table) SET maker = ? WHERE maker = ?", .text(optional: maker),
                .text(CredentialMaker.operator(account: account).text))
        }
    }

    /// The tables with a `maker` column.
    private static let makerTables = [
        "managementToken", "apiToken", "serverKey", "webhook", "session", "consoleOperator", "removedOperator",
    ]

    /// Deletes revoked and expired management tokens, and makers of removed operators, if no credential made by them is left.
    static func forgetMakers(now: Timestamp, in db: SQLConnection) throws {
        let tokens = """
            DELETE FROM managementToken WHERE (isRevoked <> 0 OR expires <= ?)
            \(nothingMade(by: "'t' || CAST(managementToken.id AS TEXT)"))
            """
        let operators = """
            DELETE FROM removedOperator WHERE TRUE \(nothingMade(by: "'o' || CAST(removedOperator.account AS TEXT)"))
            """
        // Repeats, because each deleted row may have been the last credential of its maker.
        while try db.run(tokens, .seconds(now)) + db.run(operators) > 0 {}
    }

    /// SQL conditions, each beginning with AND.
    private static func nothingMade(by maker: String) -> String {
        [
            ("managementToken", ""), ("apiToken", ""), ("serverKey", "AND made.revoked = 0"),
            ("webhook", "AND made.isRemoved = 0"), ("session", ""), ("consoleOperator", ""), ("removedOperator", ""),
        ].map { table, condition in
            "AND NOT EXISTS (SELECT 1 FROM \(table) AS made WHERE made.maker = \(maker) \(condition))"
        }.joined(separator: "\n")
    }
}
