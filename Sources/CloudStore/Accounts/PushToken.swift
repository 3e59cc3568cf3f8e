package import CloudModel
import Crypto
package import Foundation
import GRDB

/// A push token as its holder's requests need it (reference B §7). Its text is known to its holder alone.
package struct PushToken: Sendable {
    /// Where a token's notifications come from.
    package struct Place: Hashable, Sendable {
        package let container: Container
        package let environment: ContainerEnvironment
        /// Whose notifications they are.
        package let user: String
        /// What the client calls itself there.
        let clientID: String?

        /// What is told of changes there.
        package func device(token: Int64, expires: Date) -> Device {
            Device(
                token: token, user: user, clientID: clientID, expires: Int64(expires.timeIntervalSince1970 * 1000))
        }
    }

    /// Never used again.
    package let id: Int64
    /// Until when it is good.
    package internal(set) var expires: Date
    /// Where it is registered, the first one first.
    package let places: [Place]
    let hash: SHA256Digest

    /// A digest of a token's text; nil for what is none.
    static func hash(_ text: String) -> SHA256Digest? {
        let isHex = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        return isHex && text.utf8.count == 64 ? SHA256.hash(data: Data(text.utf8)) : nil
    }

    static func find(hash: SHA256Digest, in db: Database) throws -> PushToken? {
        let row = try Row.fetchOne(
            db, sql: "SELECT id, hash, expires FROM pushToken WHERE hash = ?", arguments: [Data(hash)])
        guard let row, hash == (row["hash"] as Data) else { return nil }
        let id: Int64 = row["id"]
        return PushToken(
            id: id, expires: Date(timeIntervalSince1970: row["expires"]), places: try places(of: id, in: db),
            hash: hash)
    }

    static func places(of token: Int64, in db: Database) throws -> [Place] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT container.*, environment, user, clientID FROM pushRegistration
                JOIN container ON container.id = pushRegistration.container
                WHERE token = ? ORDER BY pushRegistration.id
                """,
            arguments: [token]
        ).map { row in
            Place(
                container: Container(row: row), environment: try ContainerEnvironment.read(row), user: row["user"],
                clientID: row["clientID"])
        }
    }

    /// The tables, as the migration "5-push-tokens" makes them. Of tokens only digests are kept.
    ///
    /// The revision does not move when a token is registered: one process does that, and forgets what it knew.
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

/// Which push service a token belongs to; independent of a container's environment.
package enum PushEnvironment: String, CaseIterable, Sendable {
    case development, production
}
