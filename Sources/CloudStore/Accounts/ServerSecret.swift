import CloudModel
package import Crypto
import Foundation
import GRDB

extension AccountStore {
    /// A random key kept for one purpose, the same for every process on this folder; made when first asked for.
    package func secret(for purpose: String) throws -> SymmetricKey {
        let value = try pool.write { db in
            try db.execute(
                sql: "INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [purpose, Data(RandomText.bytes(32))])
            return try Data.fetchOne(db, sql: "SELECT value FROM secret WHERE name = ?", arguments: [purpose])
        }
        guard let value else { throw ServerError(.internalError, "the secret for \(purpose) was not stored") }
        return SymmetricKey(data: value)
    }
}

extension AccountStore {
    /// A random key of the container's own, gone with it.
    package func secret(of container: Container) throws -> SymmetricKey? {
        try lookups.read { db in
            try Data.fetchOne(db, sql: "SELECT secret FROM container WHERE id = ?", arguments: [container.id])
        }.map { SymmetricKey(data: $0) }
    }
}
