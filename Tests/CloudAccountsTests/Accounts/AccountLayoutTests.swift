import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// The accounts' database in each state that a version of the program has left, with what it wrote there, opened by this
/// version.
@Suite(.timeLimit(.minutes(10)))
struct AccountLayoutTests {
    private static let lastState: Int = 36

    /// Rows of the tables that migrations brought, and of columns that they added, by the number of each.
    private static let rows: [(Int, String)] = [
        (
            1,
            """
            INSERT INTO container (name, strictIndexes, secret, created) VALUES ('c', 1, \(ChosenEngine.bytes("s")), 1);
            INSERT INTO apiToken (hash, hint, container, environment, name, allowedOrigins, created)
            VALUES (\(ChosenEngine.bytes("a")), 'hint', 1, 'development', 'app', '', 1);
            INSERT INTO serverKey (id, container, environment, name, publicKey, userRecordName, created)
            VALUES ('key', 1, 'production', 'job', 'public', '_key', 1);
            INSERT INTO account (email, emailKey, emailVerified, givenName, created) VALUES
                ('a@example.com', 'a@example.com', 1, 'Ann', 1), ('b@example.com', 'b@example.com', 0, NULL, 1);
            INSERT INTO userRecord VALUES (1, '_ann', 1);
            INSERT INTO userRecord VALUES (1, '_bob', 2);
            INSERT INTO session (hash, account, container, environment, persistent, created, lastUsed, expires) VALUES
                (\(ChosenEngine.bytes("1")), 1, 1, 'production', 1, 1, 1, 9e12),
                (\(ChosenEngine.bytes("2")), 2, 1, 'production', 1, 1, 1, 9e12);
            INSERT INTO secret VALUES ('web', \(ChosenEngine.bytes("x")));
            """
        ),
        (
            2,
            "INSERT INTO routingKey VALUES ('0aa', 1, 'development'); INSERT INTO routingKey VALUES ('0ab', 1, 'production')"
        ),
        (
            3,
            """
            INSERT INTO browserLogin (hash, account, persistent, lastUsed, expires) VALUES (\(ChosenEngine.bytes("1")), 1, 1, 1, 9e12);
            INSERT INTO browserLogin (hash, account, persistent, lastUsed, expires) VALUES (\(ChosenEngine.bytes("2")), 2, 1, 1, 9e12);
            INSERT INTO usedTicket VALUES ('t', 9e12);
            INSERT INTO registration (id, email, attemptsLeft, expires) VALUES (\(ChosenEngine.bytes("r")), 'n@example.com', 3, 9e12);
            """
        ),
        (4, "INSERT INTO pageRule (container, recordType, rule) VALUES (1, 'Note', '{}')"),
        (
            5,
            """
            INSERT INTO pushToken (hash, apnsEnvironment, expires) VALUES (\(ChosenEngine.bytes("p")), 'development', 9e12);
            INSERT INTO pushRegistration (token, container, environment, "user") VALUES (1, 1, 'production', '_ann');
            """
        ),
        (6, "UPDATE container SET uniqueSubscriptions = 1"),
        (
            7,
            """
            INSERT INTO webhook (container, environment, url, salt, created)
            VALUES (1, 'production', 'https://example.com/hook', \(ChosenEngine.bytes("s")), 1);
            INSERT INTO deadLetter (webhook, message, firstAttempt, lastAttempt, attempts, fault, body)
            VALUES (1, 'm', 1, 2, 3, 'refused', \(ChosenEngine.bytes("{}")));
            """
        ),
        (
            8,
            """
            INSERT INTO managementToken (hash, hint, container, name, created) VALUES (\(ChosenEngine.bytes("m")), 'h', 1, 'ci', 1)
            """
        ),
        (9, "UPDATE container SET atomicErrorStatus = 1"),
        (10, "INSERT INTO madeEnvironment VALUES (1, 'development')"),
        (11, "INSERT INTO endedRegistration VALUES (7, 1, 'production'); UPDATE webhook SET isInForce = 1"),
        (13, "INSERT INTO assetsPlace VALUES ('\(DataFolder.ownAssets)')"),
        (14, "UPDATE managementToken SET scopes = 'schema'"),
        (15, "INSERT INTO audit (time, who, action, person) VALUES (9e11, 'root', 'look', '_ann')"),
        (
            17,
            """
            INSERT INTO passwordReset (id, account, email, attemptsLeft, expires)
            VALUES (\(ChosenEngine.bytes("w")), 1, 'a@example.com', 3, 9e12)
            """
        ),
        (
            18,
            """
            INSERT INTO consoleOperator (account, role, created) VALUES (1, 'owner', 1);
            INSERT INTO recoveryCode VALUES (\(ChosenEngine.bytes("c")), 1);
            INSERT INTO consoleLogin (hash, account, isComplete, lastUsed, expires)
            VALUES (\(ChosenEngine.bytes("l")), 1, 1, 1, 9e12);
            """
        ),
        (20, "INSERT INTO publishedName VALUES ('hello', 1, 'production', 5); UPDATE pageRule SET indexed = 1"),
        (23, "UPDATE apiToken SET maker = 't1'"),
        (24, "UPDATE webhook SET carriesValues = 0"),
        (26, "INSERT INTO removedOperator VALUES (9, 't1')"),
        (28, "INSERT INTO account (email, emailKey, emailVerified, created) VALUES (NULL, NULL, 0, 1)"),
        (
            29,
            """
            INSERT INTO identity (issuer, subject, account, provider, email, created, lastUsed)
            VALUES ('https://id.example', 'a', 1, 'p', NULL, 1, 1)
            """
        ),
        (30, "UPDATE browserLogin SET browser = 'Safari/iPhone' WHERE account = 1"),
        (
            31,
            """
            INSERT INTO provider (name, kind, issuer, clientID, secret, options, created)
            VALUES ('p', 'oidc', 'https://id.example', 'c', \(ChosenEngine.bytes("s")), '{}', 1)
            """
        ),
        (
            32,
            """
            INSERT INTO passkeyUser VALUES (1, \(ChosenEngine.bytes("h")));
            INSERT INTO passkey VALUES
                (\(ChosenEngine.bytes("i")), 1, 'id.example', \(ChosenEngine.bytes("k")), 0, 1, 1, '',
                 \(ChosenEngine.bytes("m")), 'Phone', 1, NULL)
            """
        ),
        (
            33,
            """
            UPDATE apiToken SET audiences = 'com.example.app';
            UPDATE identity SET isMailOff = 1;
            INSERT INTO identityToken (issuer, subject, client, provider, token, due)
            VALUES ('https://id.example', 'a', 'com.example.app', 'p', \(ChosenEngine.bytes("t")), NULL)
            """
        ),
        (
            34,
            """
            UPDATE browserLogin SET provider = 'p', providerIssuer = 'https://id.example', providerSubject = 'a',
                providerSession = 's', providerTime = 1, identityToken = \(ChosenEngine.bytes("t")) WHERE account = 1;
            UPDATE session SET provider = 'p', providerIssuer = 'https://id.example', providerSubject = 'a'
                WHERE account = 1;
            """
        ),
        (35, "INSERT INTO consolePasskey VALUES (\(ChosenEngine.bytes("i")), 1)"),
        (
            36,
            """
            INSERT INTO givenRole (account, issuer, subject, role, provider)
            VALUES (1, 'https://id.example', 'a', 'c/production/editors', 'p')
            """
        ),
    ]

    private let fixture: AccountFixture

    init() throws { fixture = try AccountFixture() }

    @Test("Every layout version opens with correct rows, and can be written to", arguments: 1...36)
    func opens(state: Int) async throws {
        let migrations = AccountMigrations.all(in: fixture.folder)
        #expect(migrations.count == Self.lastState, "a new migration wants rows here that it meets")
        try make(state, Array(migrations.prefix(state)))
        let accounts = try fixture.open()
        try await check(accounts, state)
        // Row ids go on, and what refers to what still does.
        let made = try await accounts.containers.create(name: "new")
        #expect(made.id > 1)
        #expect(try await accounts.users.create(email: "new@example.com").id > 2)
        _ = try await accounts.containers.delete(name: "c")
        for table in ["apiToken", "serverKey", "session", "pageRule", "webhook", "deadLetter", "managementToken"] {
            #expect(try await count(table, accounts) == 0, "\(table)")
        }
        #expect(try await accounts.problems() == [])
        try accounts.close()
    }

    private func make(_ state: Int, _ migrations: [Migration]) throws {
        // An environment older than the table of environments.
        try FileManager.default.createDirectory(
            atPath: fixture.folder.path + "/containers", withIntermediateDirectories: true)
        let records = try fixture.folder.engine.opener.openForWriting(
            fixture.folder.recordsFile(container: 1, environment: .production))
        try Migrations.run(on: records, name: "production")
        try records.close()
        let pool = try TestEngine(copiesAccounts: false).opener.openAccounts(fixture.folder.accountsFile)
        try pool.migrate(migrations)
        try pool.writeBlocking { db in
            for (number, sql) in Self.rows where number <= state { try db.script(Self.named(sql, state)) }
        }
        try pool.close()
    }

    /// The statement with the names that tables had in a state.
    private static func named(_ sql: String, _ state: Int) -> String {
        state < 19 ? sql : sql.replacing("assetsPlace", with: "assetsLocation")
    }

    private func count(_ rows: String, _ accounts: AccountStore) async throws -> Int {
        try await accounts.database.pool.read { db in
            try db.first("SELECT count(*) FROM \(rows)") { Int($0.integer(0)) } ?? 0
        }
    }

    private func check(_ accounts: AccountStore, _ state: Int) async throws {
        let container = try #require(try await accounts.reader().container(named: "c"))
        #expect(container.id == 1 && container.strictIndexes)
        let person = try #require(try await accounts.users.find(email: "a@example.com"))
        #expect(person.id == 1)
        // Rows that migrations keep, and first values of new columns in older rows.
        let expected: [(rows: String, since: Int, count: Int)] = [
            ("apiToken WHERE name = 'app'", 1, 1), ("serverKey WHERE revoked = 0", 1, 1),
            ("account WHERE email IS NOT NULL", 1, 2),
            ("userRecord", 1, 2), ("session WHERE account = 1", 1, 1),
            ("session WHERE account = 2", 1, state < 12 ? 0 : 1), ("secret WHERE name = 'web'", 1, 1),
            ("routingKey", 2, 2), ("browserLogin WHERE account = 1", 3, 1),
            ("browserLogin WHERE account = 2", 3, state < 12 ? 0 : 1), ("registration", 3, 1), ("pageRule", 4, 1),
            ("pushToken", 5, 1), ("pushRegistration WHERE \"user\" = '_ann'", 5, 1),
            ("container WHERE uniqueSubscriptions = 1", 6, 1), ("webhook WHERE isRemoved = 0", 7, 1),
            ("webhook WHERE carriesValues = 1", 7, state < 24 ? 1 : 0), ("webhook WHERE isInForce = 1", 11, 1),
            ("deadLetter WHERE attempts = 3", 7, 1), ("managementToken WHERE isRevoked = 0", 8, 1),
            ("managementToken WHERE scopes = 'schema'", 8, state < 14 ? 0 : 1),
            ("container WHERE atomicErrorStatus = 1", 9, 1),
            ("madeEnvironment WHERE environment = 'development'", 10, 1),
            ("madeEnvironment WHERE environment = 'production'", 2, state < 10 ? 1 : 0),
            ("endedRegistration", 11, 1), ("assetsLocation", 13, 1), ("audit WHERE isLook = 0", 15, 1),
            ("passwordReset", 17, 1), ("consoleOperator WHERE role = 'owner'", 18, 1), ("recoveryCode", 18, 1),
            ("account WHERE email IS NULL", 28, 1), ("identity WHERE account = 1", 29, 1),
            ("browserLogin WHERE browser = 'Safari/iPhone'", 30, 1),
            ("provider", 31, 1),
            ("apiToken WHERE audiences = ''", 1, state < 33 ? 1 : 0), ("identity WHERE isMailOff = 1", 33, 1),
            ("identityToken WHERE due IS NULL AND attempts = 0", 33, 1),
            ("browserLogin WHERE providerSession = 's'", 34, 1), ("session WHERE providerSubject = 'a'", 34, 1),
            ("consolePasskey WHERE account = 1", 35, 1), ("givenRole WHERE isWithdrawn = 0", 36, 1),
            ("passkey WHERE account = 1", 32, 1), ("passkeyUser WHERE account = 1", 32, 1),
            ("account WHERE isBeingDeleted = 0 AND givenName = 'Ann' AND emailVerified = 1", 1, 1),
            ("publishedName", 20, 1), ("apiToken WHERE maker = 't1'", 23, 1),
        ]
        for (rows, since, count) in expected where state >= since {
            #expect(try await self.count(rows, accounts) == count, "\(rows)")
        }
    }
}
