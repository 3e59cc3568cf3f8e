import CloudEngine
package import CloudModel
import CloudSQL
import CloudCrypto

/// A push token with its registrations (reference B §7). The server stores a digest of its text.
package struct PushToken: Sendable {
    /// A registration of the token: an environment whose notifications it receives.
    package struct Registration: Hashable, Sendable {
        package let container: Container
        package let environment: ContainerEnvironment
        /// The user whose notifications are sent.
        package let user: String
        /// The client's own name.
        package let clientID: String?

        /// The device for notifications of this environment.
        package func device(token: Int64, expires: Timestamp) -> Device {
            Device(token: token, user: user, clientID: clientID, expires: expires)
        }
    }

    /// Never reused.
    package let id: Int64
    /// The expiry of the token.
    package internal(set) var expires: Timestamp
    /// The token's registrations, oldest first.
    package let registrations: [Registration]
    let hash: SHA256Digest
    /// The credentials' revision at the last lookup; at a later revision the registrations may have changed.
    package internal(set) var revision: Int64 = 0

    /// The digest of a token's text; nil for a malformed token.
    static func hash(_ text: String) -> SHA256Digest? {
        let isHex = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        return isHex && text.utf8.count == 64 ? SHA256.hash(of: text) : nil
    }

    /// The number of check digits at the end of a token's text, computed from the other digits. They tell this server's tokens
    /// from others.
    private static let checkDigits = 8

    /// An unguessable text of 64 hex digits.
    static func make() -> String {
        let random = RandomText.hex(bytes: 32).dropLast(checkDigits)
        return random + check(random)
    }

    /// Returns true for a text from ``make()``, even if the token has been deleted.
    package static func isOurs(_ text: String) -> Bool {
        hash(text) != nil && text.hasSuffix(check(text.dropLast(checkDigits)))
    }

    private static func check(_ digits: Substring) -> String {
        String(RandomText.hex(SHA256.hash(of: "push token " + digits)).prefix(checkDigits))
    }

    static func find(hash: SHA256Digest, in db: SQLConnection) throws -> PushToken? {
        let found = try db.first("SELECT id, hash, expires FROM pushToken WHERE hash = ?", .blob(Array(hash))) {
            (id: $0.integer(0), hash: $0.blob(1), expires: $0.timestamp(seconds: 2))
        }
        guard let found, hash == found.hash else { return nil }
        return PushToken(
            id: found.id, expires: found.expires, registrations: try registrations(of: found.id, in: db), hash: hash)
    }

    static func registrations(of token: Int64, in db: SQLConnection) throws -> [Registration] {
        try db.all(
            """
            SELECT \(Container.columns), pushRegistration.environment, pushRegistration.user, pushRegistration.clientID
            FROM pushRegistration JOIN container ON container.id = pushRegistration.container
            WHERE token = ? ORDER BY pushRegistration.id
            """, .integer(token)
        ) { row in
            Registration(
                container: Container(row: row), environment: try ContainerEnvironment.read(row, 7), user: row.text(8),
                clientID: row.optionalText(9))
        }
    }

    /// The tables of migration "5-push-tokens". Tokens are stored as digests.
    ///
    /// A token's first registration does not move the revision, because no process has cached the token.
    static let tables = Layout(
        sqlite: """
            CREATE TABLE pushToken (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                hash BLOB NOT NULL UNIQUE,
                apnsEnvironment TEXT NOT NULL,
                expires REAL NOT NULL
            );
            CREATE INDEX pushTokenExpires ON pushToken(expires);
            CREATE TABLE pushRegistration (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                token INTEGER NOT NULL REFERENCES pushToken ON DELETE CASCADE,
                container INTEGER NOT NULL,
                environment TEXT NOT NULL,
                user TEXT NOT NULL,
                clientID TEXT,
                UNIQUE (token, container, environment),
                FOREIGN KEY (container, user) REFERENCES userRecord (container, recordName) ON DELETE CASCADE
            );
            CREATE INDEX pushRegistrationUser ON pushRegistration(container, user, environment, clientID);
            CREATE TRIGGER pushRegistrationUpdated AFTER UPDATE ON pushRegistration
                BEGIN UPDATE revision SET value = value + 1; END;
            CREATE TRIGGER pushRegistrationDeleted AFTER DELETE ON pushRegistration
                BEGIN UPDATE revision SET value = value + 1; END;
            CREATE TRIGGER pushTokenDeleted AFTER DELETE ON pushToken
                BEGIN UPDATE revision SET value = value + 1; END;
            """,
        postgres: """
            CREATE TABLE pushToken (
                id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                hash BYTEA NOT NULL UNIQUE,
                apnsEnvironment TEXT COLLATE "C" NOT NULL,
                expires DOUBLE PRECISION NOT NULL
            );
            CREATE INDEX pushTokenExpires ON pushToken(expires);
            CREATE TABLE pushRegistration (
                id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                token BIGINT NOT NULL REFERENCES pushToken ON DELETE CASCADE,
                container BIGINT NOT NULL,
                environment TEXT COLLATE "C" NOT NULL,
                "user" TEXT COLLATE "C" NOT NULL,
                clientID TEXT COLLATE "C",
                UNIQUE (token, container, environment),
                FOREIGN KEY (container, "user") REFERENCES userRecord (container, recordName) ON DELETE CASCADE
            );
            CREATE INDEX pushRegistrationUser ON pushRegistration(container, "user", environment, clientID);
            CREATE FUNCTION pushRegistrationUpdated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER pushRegistrationUpdated AFTER UPDATE ON pushRegistration
                FOR EACH ROW EXECUTE FUNCTION pushRegistrationUpdated();
            CREATE FUNCTION pushRegistrationDeleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER pushRegistrationDeleted AFTER DELETE ON pushRegistration
                FOR EACH ROW EXECUTE FUNCTION pushRegistrationDeleted();
            CREATE FUNCTION pushTokenDeleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER pushTokenDeleted AFTER DELETE ON pushToken FOR EACH ROW EXECUTE FUNCTION pushTokenDeleted();
            """)
}

/// The push service of a token; independent of the container's environment.
package enum PushEnvironment: String, CaseIterable, Sendable {
    case development, production
}
