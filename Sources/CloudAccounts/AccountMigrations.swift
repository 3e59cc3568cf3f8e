package import CloudEngine
import CloudSQL

/// Migrations of the accounts file, oldest first.
package enum AccountMigrations {
    static func run(on pool: any SQLPool, in folder: DataFolder) throws {
        let migrations = all(in: folder)
        do { try pool.migrate(migrations) } catch let newer as NewerSchema {
            throw newer.database(folder.accountsName, migrations)
        }
    }

    /// - Parameter folder: the data folder whose existing environments migration 10 enters into its new table.
    package static func all(in folder: DataFolder) -> [Migration] {
        [
            Migration("1-accounts", accounts),
            Migration("2-routing-keys", RoutingKey.table),
            Migration("3-signing-in", signingIn),
            Migration("4-pages", PageRuleTable.sql),
            Migration("5-push-tokens", PushToken.tables),
            Migration(
                "6-unique-subscriptions",
                "ALTER TABLE container ADD COLUMN uniqueSubscriptions BIGINT NOT NULL DEFAULT 0"),
            Migration("7-webhooks", WebhookSchema.sql),
            Migration("8-management-tokens", ManagementToken.table),
            Migration(
                "9-atomic-error-status",
                "ALTER TABLE container ADD COLUMN atomicErrorStatus BIGINT NOT NULL DEFAULT 0"),
            Migration("10-made-environments") { db in
                try db.script(MadeEnvironments.table)
                try db.script(ReadinessProbe.table)
                try MadeEnvironments.adopt(db, in: folder)
            },
            Migration("11-ended-registrations") {
                try $0.script("ALTER TABLE webhook ADD COLUMN isInForce BIGINT NOT NULL DEFAULT 0")
                try $0.script(EndedRegistration.table)
            },
            Migration("12-unconfirmed-sessions", unconfirmedSessions),
            Migration("13-assets-place", AssetsLocation.table),
            Migration("14-management-scopes", ManagementToken.scopes),
            Migration("15-audit", AuditEntry.table),
            Migration("16-deletions", AccountDeletion.column),
            Migration("17-password-resets", PasswordReset.table),
            Migration("18-operators", OperatorSchema.sql),
            Migration("19-names", AssetsLocation.renaming),
            Migration("20-published-names", PublishedNameTable.sql),
            Migration("21-additions", additions),
            Migration("22-enrolment-codes", OperatorSchema.enrolment),
            Migration("23-makers", CredentialMaker.columns),
            Migration("24-webhooks-without-values", WebhookSchema.values),
            Migration("25-audited-looks", AuditEntry.looks),
            Migration("26-removed-operators", CredentialMaker.removedOperators),
            Migration("27-retried-letters", WebhookSchema.retried),
            Migration("28-optional-addresses", OptionalAddress.run),
            Migration("29-identities", PersonIdentity.table),
            Migration("30-browsers", BrowserLogin.browser),
            Migration("31-providers", ProviderTable.sql),
            Migration("32-passkeys", PasskeyTable.sql),
            Migration("33-native-sign-in", NativeSignInTables.sql),
            Migration("34-provider-logins", ProviderLogin.layout),
            Migration("35-console-passkeys", ConsolePasskeyTable.sql),
            Migration("36-given-roles", GivenRole.table),
        ]
    }

    /// Unconfirmed addresses no longer get sessions; their existing sessions end.
    private static let unconfirmedSessions = """
        DELETE FROM session WHERE account IN (SELECT id FROM account WHERE emailVerified = 0);
        DELETE FROM browserLogin WHERE account IN (SELECT id FROM account WHERE emailVerified = 0);
        """

    /// Row ids are never reused: a container's id names its files, and sessions refer to accounts by id.
    private static let accounts = Layout(
        sqlite: """
            CREATE TABLE container (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                name TEXT NOT NULL UNIQUE,
                justInTimeSchema INTEGER NOT NULL DEFAULT 1,
                strictIndexes INTEGER NOT NULL DEFAULT 0,
                discoverableUsers INTEGER NOT NULL DEFAULT 1,
                secret BLOB NOT NULL,
                created REAL NOT NULL
            );
            CREATE TABLE apiToken (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                hash BLOB NOT NULL UNIQUE,
                hint TEXT NOT NULL,
                container INTEGER NOT NULL REFERENCES container ON DELETE CASCADE,
                environment TEXT NOT NULL,
                name TEXT NOT NULL,
                allowedOrigins TEXT NOT NULL,
                signInCallback TEXT,
                created REAL NOT NULL
            );
            CREATE INDEX apiTokenContainer ON apiToken(container);
            CREATE TABLE serverKey (
                id TEXT PRIMARY KEY,
                container INTEGER NOT NULL REFERENCES container ON DELETE CASCADE,
                environment TEXT NOT NULL,
                name TEXT NOT NULL,
                publicKey TEXT NOT NULL,
                userRecordName TEXT NOT NULL,
                revoked INTEGER NOT NULL DEFAULT 0,
                created REAL NOT NULL
            );
            CREATE INDEX serverKeyContainer ON serverKey(container);
            CREATE TABLE account (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                email TEXT NOT NULL,
                emailKey TEXT NOT NULL UNIQUE,
                emailVerified INTEGER NOT NULL,
                givenName TEXT,
                familyName TEXT,
                phone TEXT,
                disabled INTEGER NOT NULL DEFAULT 0,
                password TEXT,
                created REAL NOT NULL
            );
            CREATE INDEX accountPhone ON account(phone) WHERE phone IS NOT NULL;
            CREATE TABLE userRecord (
                container INTEGER NOT NULL REFERENCES container ON DELETE CASCADE,
                recordName TEXT NOT NULL,
                account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                PRIMARY KEY (container, recordName),
                UNIQUE (account, container)
            ) WITHOUT ROWID;
            CREATE TABLE session (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                hash BLOB NOT NULL UNIQUE,
                account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                container INTEGER NOT NULL REFERENCES container ON DELETE CASCADE,
                environment TEXT NOT NULL,
                apiToken INTEGER REFERENCES apiToken ON DELETE CASCADE,
                persistent INTEGER NOT NULL,
                created REAL NOT NULL,
                lastUsed REAL NOT NULL,
                expires REAL NOT NULL
            );
            CREATE INDEX sessionAccount ON session(account);
            CREATE INDEX sessionContainer ON session(container);
            CREATE INDEX sessionApiToken ON session(apiToken) WHERE apiToken IS NOT NULL;
            CREATE INDEX sessionExpires ON session(expires);
            CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL);

            -- Moves when something a process may hold in memory has changed. Inserts do not move it, because absence
            -- is never remembered; nor does a session's slide, which each process knows of itself.
            CREATE TABLE revision (value INTEGER NOT NULL);
            INSERT INTO revision VALUES (1);
            CREATE TRIGGER containerUpdated AFTER UPDATE ON container BEGIN UPDATE revision SET value = value + 1; END;
            CREATE TRIGGER containerDeleted AFTER DELETE ON container BEGIN UPDATE revision SET value = value + 1; END;
            CREATE TRIGGER apiTokenUpdated AFTER UPDATE ON apiToken BEGIN UPDATE revision SET value = value + 1; END;
            CREATE TRIGGER apiTokenDeleted AFTER DELETE ON apiToken BEGIN UPDATE revision SET value = value + 1; END;
            CREATE TRIGGER serverKeyUpdated AFTER UPDATE ON serverKey BEGIN UPDATE revision SET value = value + 1; END;
            CREATE TRIGGER serverKeyDeleted AFTER DELETE ON serverKey BEGIN UPDATE revision SET value = value + 1; END;
            CREATE TRIGGER accountUpdated AFTER UPDATE OF disabled ON account
                BEGIN UPDATE revision SET value = value + 1; END;
            CREATE TRIGGER sessionDeleted AFTER DELETE ON session BEGIN UPDATE revision SET value = value + 1; END;
            """,
        postgres: """
            CREATE TABLE container (
                id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                name TEXT COLLATE "C" NOT NULL UNIQUE,
                justInTimeSchema BIGINT NOT NULL DEFAULT 1,
                strictIndexes BIGINT NOT NULL DEFAULT 0,
                discoverableUsers BIGINT NOT NULL DEFAULT 1,
                secret BYTEA NOT NULL,
                created DOUBLE PRECISION NOT NULL
            );
            CREATE TABLE apiToken (
                id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                hash BYTEA NOT NULL UNIQUE,
                hint TEXT COLLATE "C" NOT NULL,
                container BIGINT NOT NULL REFERENCES container ON DELETE CASCADE,
                environment TEXT COLLATE "C" NOT NULL,
                name TEXT COLLATE "C" NOT NULL,
                allowedOrigins TEXT COLLATE "C" NOT NULL,
                signInCallback TEXT COLLATE "C",
                created DOUBLE PRECISION NOT NULL
            );
            CREATE INDEX apiTokenContainer ON apiToken(container);
            CREATE TABLE serverKey (
                id TEXT COLLATE "C" PRIMARY KEY,
                container BIGINT NOT NULL REFERENCES container ON DELETE CASCADE,
                environment TEXT COLLATE "C" NOT NULL,
                name TEXT COLLATE "C" NOT NULL,
                publicKey TEXT COLLATE "C" NOT NULL,
                userRecordName TEXT COLLATE "C" NOT NULL,
                revoked BIGINT NOT NULL DEFAULT 0,
                created DOUBLE PRECISION NOT NULL
            );
            CREATE INDEX serverKeyContainer ON serverKey(container);
            CREATE TABLE account (
                id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                email TEXT COLLATE "C" NOT NULL,
                emailKey TEXT COLLATE "C" NOT NULL UNIQUE,
                emailVerified BIGINT NOT NULL,
                givenName TEXT COLLATE "C",
                familyName TEXT COLLATE "C",
                phone TEXT COLLATE "C",
                disabled BIGINT NOT NULL DEFAULT 0,
                password TEXT COLLATE "C",
                created DOUBLE PRECISION NOT NULL
            );
            CREATE INDEX accountPhone ON account(phone) WHERE phone IS NOT NULL;
            CREATE TABLE userRecord (
                container BIGINT NOT NULL REFERENCES container ON DELETE CASCADE,
                recordName TEXT COLLATE "C" NOT NULL,
                account BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
                PRIMARY KEY (container, recordName),
                UNIQUE (account, container)
            );
            CREATE TABLE session (
                id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                hash BYTEA NOT NULL UNIQUE,
                account BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
                container BIGINT NOT NULL REFERENCES container ON DELETE CASCADE,
                environment TEXT COLLATE "C" NOT NULL,
                apiToken BIGINT REFERENCES apiToken ON DELETE CASCADE,
                persistent BIGINT NOT NULL,
                created DOUBLE PRECISION NOT NULL,
                lastUsed DOUBLE PRECISION NOT NULL,
                expires DOUBLE PRECISION NOT NULL
            );
            CREATE INDEX sessionAccount ON session(account);
            CREATE INDEX sessionContainer ON session(container);
            CREATE INDEX sessionApiToken ON session(apiToken) WHERE apiToken IS NOT NULL;
            CREATE INDEX sessionExpires ON session(expires);
            CREATE TABLE secret (name TEXT COLLATE "C" PRIMARY KEY, value BYTEA NOT NULL);
            CREATE TABLE revision (value BIGINT NOT NULL);
            INSERT INTO revision VALUES (1);
            CREATE FUNCTION containerUpdated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER containerUpdated AFTER UPDATE ON container FOR EACH ROW EXECUTE FUNCTION containerUpdated();
            CREATE FUNCTION containerDeleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER containerDeleted AFTER DELETE ON container FOR EACH ROW EXECUTE FUNCTION containerDeleted();
            CREATE FUNCTION apiTokenUpdated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER apiTokenUpdated AFTER UPDATE ON apiToken FOR EACH ROW EXECUTE FUNCTION apiTokenUpdated();
            CREATE FUNCTION apiTokenDeleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER apiTokenDeleted AFTER DELETE ON apiToken FOR EACH ROW EXECUTE FUNCTION apiTokenDeleted();
            CREATE FUNCTION serverKeyUpdated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER serverKeyUpdated AFTER UPDATE ON serverKey FOR EACH ROW EXECUTE FUNCTION serverKeyUpdated();
            CREATE FUNCTION serverKeyDeleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER serverKeyDeleted AFTER DELETE ON serverKey FOR EACH ROW EXECUTE FUNCTION serverKeyDeleted();
            CREATE FUNCTION accountUpdated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER accountUpdated AFTER UPDATE OF disabled ON account
                FOR EACH ROW EXECUTE FUNCTION accountUpdated();
            CREATE FUNCTION sessionDeleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER sessionDeleted AFTER DELETE ON session FOR EACH ROW EXECUTE FUNCTION sessionDeleted();
            """)

    /// Counts insertions besides updates and deletions, so that processes may cache absences.
    private static let additions = Layout(
        sqlite: """
            ALTER TABLE revision ADD COLUMN additions INTEGER NOT NULL DEFAULT 0;
            CREATE TRIGGER containerAdded AFTER INSERT ON container
                BEGIN UPDATE revision SET additions = additions + 1; END;
            CREATE TRIGGER apiTokenAdded AFTER INSERT ON apiToken
                BEGIN UPDATE revision SET additions = additions + 1; END;
            CREATE TRIGGER serverKeyAdded AFTER INSERT ON serverKey
                BEGIN UPDATE revision SET additions = additions + 1; END;
            CREATE TRIGGER sessionAdded AFTER INSERT ON session
                BEGIN UPDATE revision SET additions = additions + 1; END;
            CREATE TRIGGER pushTokenAdded AFTER INSERT ON pushToken
                BEGIN UPDATE revision SET additions = additions + 1; END;
            """,
        postgres: """
            ALTER TABLE revision ADD COLUMN additions BIGINT NOT NULL DEFAULT 0;
            CREATE FUNCTION containerAdded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET additions = additions + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER containerAdded AFTER INSERT ON container FOR EACH ROW EXECUTE FUNCTION containerAdded();
            CREATE FUNCTION apiTokenAdded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET additions = additions + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER apiTokenAdded AFTER INSERT ON apiToken FOR EACH ROW EXECUTE FUNCTION apiTokenAdded();
            CREATE FUNCTION serverKeyAdded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET additions = additions + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER serverKeyAdded AFTER INSERT ON serverKey FOR EACH ROW EXECUTE FUNCTION serverKeyAdded();
            CREATE FUNCTION sessionAdded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET additions = additions + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER sessionAdded AFTER INSERT ON session FOR EACH ROW EXECUTE FUNCTION sessionAdded();
            CREATE FUNCTION pushTokenAdded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET additions = additions + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER pushTokenAdded AFTER INSERT ON pushToken FOR EACH ROW EXECUTE FUNCTION pushTokenAdded();
            """)

    /// Tables for browsers signed in to the server's own pages, used sign-in links, and registrations with an unconfirmed
    /// address. Cookies and codes are stored as digests.
    private static let signingIn = Layout(
        sqlite: """
            CREATE TABLE browserLogin (
                hash BLOB PRIMARY KEY,
                account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                persistent INTEGER NOT NULL,
                lastUsed REAL NOT NULL,
                expires REAL NOT NULL
            ) WITHOUT ROWID;
            CREATE INDEX browserLoginAccount ON browserLogin(account);
            CREATE INDEX browserLoginExpires ON browserLogin(expires);
            CREATE TABLE usedTicket (id TEXT PRIMARY KEY, expires REAL NOT NULL) WITHOUT ROWID;
            CREATE INDEX usedTicketExpires ON usedTicket(expires);
            CREATE TABLE registration (
                id BLOB PRIMARY KEY,
                code BLOB,
                account INTEGER REFERENCES account ON DELETE CASCADE,
                email TEXT NOT NULL,
                givenName TEXT,
                familyName TEXT,
                password TEXT,
                attemptsLeft INTEGER NOT NULL,
                expires REAL NOT NULL
            ) WITHOUT ROWID;
            CREATE INDEX registrationAccount ON registration(account) WHERE account IS NOT NULL;
            CREATE INDEX registrationExpires ON registration(expires);
            """,
        postgres: """
            CREATE TABLE browserLogin (
                hash BYTEA PRIMARY KEY,
                account BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
                persistent BIGINT NOT NULL,
                lastUsed DOUBLE PRECISION NOT NULL,
                expires DOUBLE PRECISION NOT NULL
            );
            CREATE INDEX browserLoginAccount ON browserLogin(account);
            CREATE INDEX browserLoginExpires ON browserLogin(expires);
            CREATE TABLE usedTicket (id TEXT COLLATE "C" PRIMARY KEY, expires DOUBLE PRECISION NOT NULL);
            CREATE INDEX usedTicketExpires ON usedTicket(expires);
            CREATE TABLE registration (
                id BYTEA PRIMARY KEY,
                code BYTEA,
                account BIGINT REFERENCES account ON DELETE CASCADE,
                email TEXT COLLATE "C" NOT NULL,
                givenName TEXT COLLATE "C",
                familyName TEXT COLLATE "C",
                password TEXT COLLATE "C",
                attemptsLeft BIGINT NOT NULL,
                expires DOUBLE PRECISION NOT NULL
            );
            CREATE INDEX registrationAccount ON registration(account) WHERE account IS NOT NULL;
            CREATE INDEX registrationExpires ON registration(expires);
            """)
}
