import CloudModel
import CloudSQL
package import CloudCrypto
import Synchronization

extension AccountStore {
    /// The random key for a purpose, shared by all processes on this data folder; created at the first call.
    func secret(for purpose: String) async throws -> SymmetricKey {
        if let known = secrets.withLock({ $0[purpose] }) { return known }
        return try await engine.call { try self.secretBlocking(for: purpose) }
    }

    /// Like `secret(for:)`, but blocks the calling thread unless the key is cached.
    package func secretBlocking(for purpose: String) throws -> SymmetricKey {
        if let known = secrets.withLock({ $0[purpose] }) { return known }
        let find: (SQLConnection) throws -> SymmetricKey? = { db in
            try db.first("SELECT value FROM secret WHERE name = ?", .text(purpose)) { SymmetricKey(data: $0.blob(0)) }
        }
        let key =
            try lookups.runBlocking(find)
            ?? pool.writeBlocking { db in
                // Another process may have created the key meanwhile.
                try db.run(
                    "INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", .text(purpose),
                    .blob(RandomText.bytes(32)))
                return try find(db)
            }
        guard let key else {
            throw ServerError(.internalError, "the secret for \(purpose) was not stored", .server(.fault))
        }
        secrets.withLock { $0[purpose] = key }
        return key
    }
}

extension AccountStore {
    /// The container's random key; nil if the container has been deleted.
    package func secret(of container: Container) async throws -> SymmetricKey? {
        try await lookups.run { db in
            try db.first("SELECT secret FROM container WHERE id = ?", .integer(container.id)) { $0.blob(0) }
        }.map { SymmetricKey(data: $0) }
    }
}
