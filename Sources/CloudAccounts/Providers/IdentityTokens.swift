import CloudEngine
import CloudModel
import CloudSQL

/// A token of a person whose identity is gone, which is to be revoked.
package struct DueToken: Hashable, Sendable {
    package let issuer: String
    package let subject: String
    /// The client that the token was given to.
    package let client: String
    /// The provider's name.
    package let provider: String
    /// How often its revocation failed.
    package let attempts: Int
    let sealed: SealedSecret

    init(row: SQLRow) {
        issuer = row.text(0)
        subject = row.text(1)
        client = row.text(2)
        provider = row.text(3)
        attempts = Int(row.integer(4))
        sealed = SealedSecret(bytes: row.blob(5))
    }
}

/// Refresh tokens of people at Apple, one for each identity and client, sealed. They serve for revocation alone.
///
/// A token without an identity is due after ``patience`` at the latest: a sign-in that waits for the owner of an address may
/// bring the identity until then.
package struct IdentityTokens: Sendable {
    let database: AccountDatabase

    /// How long a token waits for its identity, in seconds.
    package static let patience = Duration.seconds(900)

    /// Keeps a person's token in place of an earlier one for the client.
    package func keep(_ token: ProviderSecret, of person: ProvenPerson, client: String) async throws {
        let seal = try await ProviderSeal(database)
        let sealed = seal.seal(token, of: person, client: client)
        try await database.pool.write { [now = database.now()] db in
            let isOwned = try PersonIdentity.find(issuer: person.issuer, subject: person.subject, in: db) != nil
            _ = try db.run(
                """
                INSERT INTO identityToken (issuer, subject, client, provider, token, attempts, due)
                VALUES (?, ?, ?, ?, ?, 0, ?)
                ON CONFLICT (issuer, subject, client) DO UPDATE SET
                    provider = excluded.provider, token = excluded.token, attempts = 0, due = excluded.due
                """, .text(person.issuer), .text(person.subject), .text(client), .text(person.provider),
                .blob(sealed.bytes), .seconds(optional: isOwned ? nil : now + Self.patience))
        }
    }

    /// Tokens to revoke now, those that wait longest first.
    package func due(atMost limit: Int) async throws -> [DueToken] {
        try await database.pool.read { [now = database.now()] db in
            try db.all(
                """
                SELECT issuer, subject, client, provider, attempts, token FROM identityToken
                WHERE due IS NOT NULL AND due <= ? ORDER BY due LIMIT ?
                """, .seconds(now), .integer(Int64(limit)), read: DueToken.init(row:))
        }
    }

    package func text(of token: DueToken) async throws -> ProviderSecret {
        try await ProviderSeal(database).open(token)
    }

    /// Forgets a token, unless another has taken its place or its person has come back.
    package func forget(_ token: DueToken) async throws {
        try await database.pool.write { db in
            _ = try db.run(
                """
                DELETE FROM identityToken WHERE issuer = ? AND subject = ? AND client = ? AND token = ?
                    AND due IS NOT NULL
                """, .text(token.issuer), .text(token.subject), .text(token.client), .blob(token.sealed.bytes))
        }
    }

    /// Puts the next attempt off, unless another token has taken the place or the person has come back.
    package func postpone(_ token: DueToken, by pause: Duration) async throws {
        try await database.pool.write { [now = database.now()] db in
            _ = try db.run(
                """
                UPDATE identityToken SET attempts = attempts + 1, due = ?
                WHERE issuer = ? AND subject = ? AND client = ? AND token = ? AND due IS NOT NULL
                """, .seconds(now + pause), .text(token.issuer), .text(token.subject), .text(token.client),
                .blob(token.sealed.bytes))
        }
    }

    /// The number of tokens that are kept, those to revoke among them.
    package func count() async throws -> Int64 {
        try await database.pool.read { db in
            try db.first("SELECT count(*) FROM identityToken") { $0.integer(0) } ?? 0
        }
    }
}

extension ProviderSeal {
    fileprivate func seal(_ token: ProviderSecret, of person: ProvenPerson, client: String) -> SealedSecret {
        seal(token, in: Self.context(person.issuer, person.subject, client))
    }

    fileprivate func open(_ token: DueToken) throws -> ProviderSecret {
        try open(token.sealed, in: Self.context(token.issuer, token.subject, token.client))
    }

    /// The table and the row that a sealed token belongs to; none of the names has a line break.
    private static func context(_ issuer: String, _ subject: String, _ client: String) -> [UInt8] {
        Array("identityToken.token/\(issuer)\n\(subject)\n\(client)".utf8)
    }
}

extension SignInProviders {
    package var identityTokens: IdentityTokens { IdentityTokens(database: database) }
}
