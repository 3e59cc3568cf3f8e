import CloudEngine
import CloudModel
import CloudSQL
package import CloudCrypto
import Synchronization

/// The random keys of a server and of its containers.
package struct ServerSecrets: Sendable {
    let database: AccountDatabase

    /// The random key for a purpose, shared by all processes on this data folder; created at the first call.
    func key(for purpose: String) async throws -> SymmetricKey {
        if let known = database.secrets.withLock({ $0[purpose] }) { return known }
        return try await database.engine.call { try self.keyBlocking(for: purpose) }
    }

    /// Like ``key(for:)``, but blocks the calling thread unless the key is cached.
    package func keyBlocking(for purpose: String) throws -> SymmetricKey {
        if let known = database.secrets.withLock({ $0[purpose] }) { return known }
        let find: (SQLConnection) throws -> SymmetricKey? = { db in
            try db.first("SELECT value FROM secret WHERE name = ?", .text(purpose)) { SymmetricKey(data: $0.blob(0)) }
        }
        let key =
            try database.lookups.runBlocking(find)
            ?? database.pool.writeBlocking { db in
                // Another process may have created the key meanwhile.
                try db.run(
                    "INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", .text(purpose),
                    .blob(RandomText.bytes(32)))
                return try find(db)
            }
        guard let key else {
            throw ServerError(.internalError, "the secret for \(purpose) was not stored", .server(.fault))
        }
        database.secrets.withLock { $0[purpose] = key }
        return key
    }
}

extension ServerSecrets {
    /// The container's random key; nil if the container has been deleted.
    package func key(of container: Container) async throws -> SymmetricKey? {
        try await database.lookups.run { db in
            try db.first("SELECT secret FROM container WHERE id = ?", .integer(container.id)) { $0.blob(0) }
        }.map { SymmetricKey(data: $0) }
    }
}
