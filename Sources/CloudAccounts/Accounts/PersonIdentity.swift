import CloudEngine
package import CloudModel
package import CloudSQL

/// A person at a provider of sign-in, connected to an account.
package struct PersonIdentity: Hashable, Sendable {
    /// The name of the provider when the identity was connected.
    package let provider: String
    package let issuer: String
    /// The provider's name for the person, compared byte by byte.
    package let subject: String
    package let account: Int64
    /// The address as the provider told it last; nobody is found by it.
    package let email: String?
    package let created: Timestamp
    package let lastUsed: Timestamp

    init(row: SQLRow) {
        provider = row.text(0)
        issuer = row.text(1)
        subject = row.text(2)
        account = row.integer(3)
        email = row.optionalText(4)
        created = row.timestamp(seconds: 5)
        lastUsed = row.timestamp(seconds: 6)
    }

    static let columns = "provider, issuer, subject, account, email, created, lastUsed"

    /// Identities outlive the entry of their provider: an operator who removes a provider and adds it again finds the people
    /// connected.
    static let table = Layout(
        sqlite: """
            CREATE TABLE identity (
                issuer TEXT NOT NULL,
                subject TEXT NOT NULL,
                account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                provider TEXT NOT NULL,
                email TEXT,
                created REAL NOT NULL,
                lastUsed REAL NOT NULL,
                PRIMARY KEY (issuer, subject)
            ) WITHOUT ROWID;
            CREATE INDEX identityAccount ON identity(account);
            """,
        postgres: """
            CREATE TABLE identity (
                issuer TEXT COLLATE "C" NOT NULL,
                subject TEXT COLLATE "C" NOT NULL,
                account BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
                provider TEXT COLLATE "C" NOT NULL,
                email TEXT COLLATE "C",
                created DOUBLE PRECISION NOT NULL,
                lastUsed DOUBLE PRECISION NOT NULL,
                PRIMARY KEY (issuer, subject)
            );
            CREATE INDEX identityAccount ON identity(account);
            """)

    package static func find(issuer: String, subject: String, in db: SQLConnection) throws -> PersonIdentity? {
        guard !issuer.hasNullCharacter, !subject.hasNullCharacter else { return nil }
        return try db.first(
            "SELECT \(columns) FROM identity WHERE issuer = ? AND subject = ?", .text(issuer), .text(subject),
            read: PersonIdentity.init(row:))
    }

    package static func all(of account: Int64, in db: SQLConnection) throws -> [PersonIdentity] {
        try db.all(
            "SELECT \(columns) FROM identity WHERE account = ? ORDER BY created, issuer, subject", .integer(account),
            read: PersonIdentity.init(row:))
    }

    package static func exist(of account: Int64, in db: SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM identity WHERE account = ?", .integer(account))
    }

    /// - Throws: a constraint's error if the identity is connected already.
    package static func insert(
        issuer: String, subject: String, provider: String, email: String?, account: Int64, now: Timestamp,
        in db: SQLConnection
    ) throws {
        try db.run(
            "INSERT INTO identity (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)", .text(provider), .text(issuer),
            .text(subject), .integer(account), .text(optional: email), .seconds(now), .seconds(now))
    }
}

/// The connections between accounts and people at providers.
package struct PersonIdentities: Sendable {
    let database: AccountDatabase

    package func all(of account: UserAccount) async throws -> [PersonIdentity] {
        try await database.pool.read { try PersonIdentity.all(of: account.id, in: $0) }
    }

    package func find(issuer: String, subject: String) async throws -> PersonIdentity? {
        try await database.pool.read { try PersonIdentity.find(issuer: issuer, subject: subject, in: $0) }
    }
}

extension AccountStore {
    package var identities: PersonIdentities { PersonIdentities(database: database) }
}
