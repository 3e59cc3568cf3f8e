import CloudStore
import CloudPostgres
import Foundation
import TestPostgres

/// The engine for tests that are about none: PostgreSQL with CUMULUS_TEST_ENGINE=postgres, else SQLite.
package enum ChosenEngine {
    package static let isPostgres = ProcessInfo.processInfo.environment["CUMULUS_TEST_ENGINE"] == "postgres"

    /// Of the cluster of this process; a database's path makes its schema.
    static let postgres = Result { PostgresEngine(url: try TestCluster.shared.get().url, root: "", prefix: "t_") }
}
