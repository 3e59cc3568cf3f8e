import CloudModel
import CloudSQL
package import Crypto

extension AccountStore {
    /// A random key kept for one purpose, the same for every process on this folder; made when first asked for.
    package func secret(for purpose: String) throws -> SymmetricKey {
        let value = try pool.writeBlocking { db in
            try db.run(
                "INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", .text(purpose),
                .blob(RandomText.bytes(32)))
            return try db.first("SELECT value FROM secret WHERE name = ?", .text(purpose)) { $0.blob(0) }
        }
        guard let value else {
            throw ServerError(.internalError, "the secret for \(purpose) was not stored", .server(.fault))
        }
        return SymmetricKey(data: value)
    }
}

extension AccountStore {
    /// A random key of the container's own, gone with it.
    package func secret(of container: Container) throws -> SymmetricKey? {
        try lookups.use { db in
            try db.first("SELECT secret FROM container WHERE id = ?", .integer(container.id)) { $0.blob(0) }
        }.map { SymmetricKey(data: $0) }
    }
}
