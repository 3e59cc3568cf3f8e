import CloudStore
import CloudPostgres
import Foundation
import TestPostgres

/// Which engine tests run on that are about none: CUMULUS_TEST_ENGINE=postgres for the other.
package enum ChosenEngine {
    package static let isPostgres = ProcessInfo.processInfo.environment["CUMULUS_TEST_ENGINE"] == "postgres"

    /// Of the cluster of this process; a database's path makes its schema.
    static let postgres = Result { PostgresEngine(url: try TestCluster.shared.get().url, root: "", prefix: "t_") }
}
