import CloudPostgres
import Foundation
import TestPostgres

/// The engine for tests that are about none: PostgreSQL with CUMULUS_TEST_ENGINE=postgres, else SQLite.
package enum ChosenEngine {
    package static let isPostgres = ProcessInfo.processInfo.environment["CUMULUS_TEST_ENGINE"] == "postgres"

    /// SQL for the bytes of a text.
    package static func bytes(_ text: String) -> String { "CAST('\(text)' AS \(isPostgres ? "BYTEA" : "BLOB"))" }

    /// Of the cluster of this process; a database's path makes its schema.
    static let postgres = Result {
        var limits = PostgresLimits()
        // Busy machines exceed the usual limits.
        (limits.connectTime, limits.idleTime) = (.seconds(60), .seconds(60))
        return PostgresEngine(url: try TestCluster.shared.get().url, root: "", prefix: "t_", limits: limits)
    }

    /// Spare schemas of the cluster; nil without a cluster.
    static let spares = (try? postgres.get()).map { SpareSchemas($0) }
}
