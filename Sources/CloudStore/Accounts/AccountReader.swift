import CloudSQL
import Crypto

/// The credentials as they were when a request came in. Absence is never remembered: what is not in memory is
/// asked of the database, so a new token works at once.
package struct AccountReader: Sendable {
    let store: AccountStore
    let revision: Int64

    /// The container of this exact name.
    package func container(named name: String) throws -> Container? {
        try lookUp(\.containers, name) { try Container.find(name: name, in: $0) }
    }

    /// The API token whose text this is, in whichever container.
    package func apiToken(_ text: String) throws -> APIToken? {
        let hash = SHA256.hash(of: text)
        return try lookUp(\.apiTokens, hash) { try APIToken.find(hash: hash, in: $0) }
    }

    /// The server-to-server key with this id, unless it has been revoked.
    package func serverKey(_ id: String) throws -> ServerKey? {
        try lookUp(\.serverKeys, id) { try ServerKey.find(id: id, in: $0) }
    }

    /// The live session whose token this is, of a user who is not disabled.
    package func session(_ token: String) throws -> WebSession? {
        let hash = SHA256.hash(of: token)
        let now = store.now()
        if let known = store.cache.value(\.sessions, hash, revision: revision), known.expires > now { return known }
        // What memory holds as expired another process may have prolonged.
        guard let session = try store.lookups.use({ try WebSession.find(hash: hash, in: $0) }), session.expires > now
        else { return nil }
        store.cache.remember(session, \.sessions, hash, revision: revision)
        return session
    }

    private func lookUp<Key, Value: Sendable>(
        _ path: WritableKeyPath<AccountCache.Entries, BoundedCache<Key, Value>>, _ key: Key,
        find: (SQLConnection) throws -> Value?
    ) throws -> Value? {
        if let known = store.cache.value(path, key, revision: revision) { return known }
        guard let found = try store.lookups.use(find) else { return nil }
        store.cache.remember(found, path, key, revision: revision)
        return found
    }
}
