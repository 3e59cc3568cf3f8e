package import CloudAccounts
import CloudEngine
package import CloudSQL

extension SQLConnection {
    /// The most problems that an engine lists.
    private static let mostProblems = 100

    /// The damage that the engine finds in the database, a sentence each.
    package func problems() throws -> [String] { try dialect.upkeep.damage(most: Self.mostProblems, self) }
}

extension AccountStore {
    /// The problems of the accounts' database, a sentence each.
    package func problems() async throws -> [String] { try await database.pool.read { try $0.problems() } }
}
