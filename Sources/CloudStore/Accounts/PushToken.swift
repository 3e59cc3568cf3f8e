package import CloudModel
import CloudSQL
import CloudCrypto

/// A push token as its holder's requests need it (reference B §7). Its text is known to its holder alone.
package struct PushToken: Sendable {
    /// A place that a token's notifications come from.
    package struct Place: Hashable, Sendable {
        package let container: Container
        package let environment: ContainerEnvironment
        /// The user whose notifications they are.
        package let user: String
        /// The name the client gives itself there.
        package let clientID: String?

        /// The device that is told of changes there.
        package func device(token: Int64, expires: Timestamp) -> Device {
            Device(token: token, user: user, clientID: clientID, expires: expires)
        }
    }

    /// Never used again.
    package let id: Int64
    /// Until when it is good.
    package internal(set) var expires: Timestamp
    /// The places where it is registered, the first one first.
    package let places: [Place]
    let hash: SHA256Digest
    /// The revision of the credentials that it was last looked up under, after which it may have become another's.
    package internal(set) var revision: Int64 = 0

    /// A digest of a token's text; nil for what is none.
    static func hash(_ text: String) -> SHA256Digest? {
        let isHex = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        return isHex && text.utf8.count == 64 ? SHA256.hash(of: text) : nil
    }

    /// Digits of a token's text that are made of the others, by which this server knows a text of its making.
    private static let checkDigits = 8

    /// A text that nobody can guess: 64 hex digits.
    static func make() -> String {
        let random = RandomText.hex(bytes: 32).dropLast(checkDigits)
        return random + check(random)
    }

    /// Returns true for a text that ``make()`` has given, be its token gone by now.
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
            id: found.id, expires: found.expires, places: try places(of: found.id, in: db), hash: hash)
    }

    static func places(of token: Int64, in db: SQLConnection) throws -> [Place] {
        try db.all(
            """
            SELECT \(Container.columns), pushRegistration.environment, pushRegistration.user, pushRegistration.clientID
            FROM pushRegistration JOIN container ON container.id = pushRegistration.container
            WHERE token = ? ORDER BY pushRegistration.id
            """, .integer(token)
        ) { row in
            Place(
                container: Container(row: row), environment: try ContainerEnvironment.read(row, 7), user: row.text(8),
                clientID: row.optionalText(9))
        }
    }

    /// The tables, as the migration "5-push-tokens" makes them. Of tokens only digests are kept.
    ///
    /// The revision does not move when a token is registered for the first time, which nobody remembers.
    static let tables = """
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
        """
}

/// The push service that a token belongs to; independent of a container's environment.
package enum PushEnvironment: String, CaseIterable, Sendable {
    case development, production
}
