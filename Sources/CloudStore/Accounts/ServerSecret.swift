import CloudModel
import CloudSQL
package import CloudCrypto
import Synchronization

extension AccountStore {
    /// A random key kept for one purpose, the same for every process on this folder; made when first asked for.
    func secret(for purpose: String) async throws -> SymmetricKey {
        if let known = secrets.withLock({ $0[purpose] }) { return known }
        return try await engine.call { try self.secretBlocking(for: purpose) }
    }

    /// The same on the caller's thread, which waits unless it was asked for before.
    package func secretBlocking(for purpose: String) throws -> SymmetricKey {
        if let known = secrets.withLock({ $0[purpose] }) { return known }
        let find: (SQLConnection) throws -> SymmetricKey? = { db in
            try db.first("SELECT value FROM secret WHERE name = ?", .text(purpose)) { SymmetricKey(data: $0.blob(0)) }
        }
        let key =
            try lookups.runBlocking(find)
            ?? pool.writeBlocking { db in
                // Another process may have made it meanwhile.
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
    /// A random key of the container's own, gone with it.
    package func secret(of container: Container) async throws -> SymmetricKey? {
        try await lookups.run { db in
            try db.first("SELECT secret FROM container WHERE id = ?", .integer(container.id)) { $0.blob(0) }
        }.map { SymmetricKey(data: $0) }
    }
}
