import CloudEngine
package import CloudModel
import CloudSQL

/// An ended push token registration whose device is still in a records file.
package struct EndedRegistration: Hashable, Sendable {
    package let token: Int64
    package let container: Int64
    package let environment: ContainerEnvironment

    static let table = Layout(
        sqlite: """
            CREATE TABLE endedRegistration (
                token INTEGER NOT NULL,
                container INTEGER NOT NULL,
                environment TEXT NOT NULL,
                PRIMARY KEY (token, container, environment)
            ) WITHOUT ROWID;
            """,
        postgres: """
            CREATE TABLE endedRegistration (
                token BIGINT NOT NULL,
                container BIGINT NOT NULL,
                environment TEXT COLLATE "C" NOT NULL,
                PRIMARY KEY (token, container, environment)
            );
            """)

    /// Ends the registrations of an account; the server with the records file open removes the devices.
    static func end(account: Int64, in db: SQLConnection) throws {
        let mine = "(container, \"user\") IN (SELECT container, recordName FROM userRecord WHERE account = ?)"
        try db.run(
            """
            INSERT INTO endedRegistration (token, container, environment)
            SELECT token, container, environment FROM pushRegistration WHERE \(mine) ON CONFLICT DO NOTHING
            """, .integer(account))
        try db.run("DELETE FROM pushRegistration WHERE \(mine)", .integer(account))
    }
}

extension PushTokens {
    /// Ended registrations whose devices must be removed; registrations made again since are left out.
    package func endedRegistrations() async throws -> [EndedRegistration] {
        try await database.pool.read { db in
            try db.all(
                """
                SELECT e.token, e.container, e.environment FROM endedRegistration e WHERE NOT EXISTS (
                    SELECT 1 FROM pushRegistration p
                    WHERE p.token = e.token AND p.container = e.container AND p.environment = e.environment)
                """
            ) {
                EndedRegistration(
                    token: $0.integer(0), container: $0.integer(1), environment: try ContainerEnvironment.read($0, 2))
            }
        }
    }

    /// Called after the registrations' devices have been removed.
    package func forget(_ registrations: [EndedRegistration]) async throws {
        try await database.pool.write { db in
            for registration in registrations {
                try db.run(
                    "DELETE FROM endedRegistration WHERE token = ? AND container = ? AND environment = ?",
                    .integer(registration.token), .integer(registration.container),
                    .text(registration.environment.rawValue))
            }
        }
    }
}
