import CloudSQL
import CloudCrypto

/// The credentials as they were when a request came in.
///
/// What there is, and what there is not, is remembered until something is changed or added, so a new token works at once.
package struct AccountReader: Sendable {
    let store: AccountStore
    let state: AccountsRevision

    /// A number that moves when credentials were changed or removed.
    package var revision: Int64 { state.changes }

    /// The container of this exact name.
    package func container(named name: String) async throws -> Container? {
        try await lookUp(\.containers, name, .container, SHA256.hash(of: name)) {
            try Container.find(name: name, in: $0)
        }
    }

    /// The API token whose text this is, in whichever container.
    package func apiToken(_ text: String) async throws -> APIToken? {
        let hash = SHA256.hash(of: text)
        let token = try await lookUp(\.apiTokens, hash, .apiToken, hash) { try APIToken.find(hash: hash, in: $0) }
        if token != nil { store.cache.remember(hash, \.digests, text, state) }
        return token
    }

    /// The container, API token and live session of these names and texts, as far as they are in memory; nil for each that
    /// has to be looked up.
    package func credentialsAtHand(
        container: String, apiToken: String?, session: String?
    ) -> (container: Container?, apiToken: APIToken?, session: WebSession?) {
        let known = store.cache.credentials(container: container, apiToken: apiToken, session: session, state)
        let live = known.session.flatMap { $0.expires > store.now() ? $0 : nil }
        return (known.container, known.apiToken, live)
    }

    /// The server-to-server key with this id, unless it has been revoked.
    package func serverKey(_ id: String) async throws -> ServerKey? {
        try await lookUp(\.serverKeys, id, .serverKey, SHA256.hash(of: id)) { try ServerKey.find(id: id, in: $0) }
    }

    /// The live session whose token this is, of a user who is not disabled.
    package func session(_ token: String) async throws -> WebSession? {
        let hash = SHA256.hash(of: token)
        let now = store.now()
        if let known = store.cache.value(\.sessions, hash, state), known.expires > now {
            store.cache.remember(hash, \.digests, token, state)
            return known
        }
        // What memory holds as expired another process may have prolonged.
        let found = try await find(\.sessions, hash, .session, hash) { try WebSession.find(hash: hash, in: $0) }
        guard var session = found else { return nil }
        if let noted = store.uses[.session, hash], noted.at > session.lastUsed {
            (session.lastUsed, session.expires) = (noted.at, noted.expires)
            store.cache.remember(session, \.sessions, hash, state)
        }
        return session.expires > now ? session : nil
    }

    /// - Parameter digest: of the key, whatever its length.
    private func lookUp<Key, Value: Sendable>(
        _ path: any WritableKeyPath<AccountCache.Entries, BoundedCache<Key, Value>> & Sendable, _ key: Key,
        _ kind: AccountCache.Absence.Kind, _ digest: @autoclosure () -> SHA256Digest,
        _ find: @escaping @Sendable (SQLConnection) throws -> Value?
    ) async throws -> Value? {
        if let known = store.cache.value(path, key, state) { return known }
        return try await self.find(path, key, kind, digest(), find)
    }

    private func find<Key, Value: Sendable>(
        _ path: any WritableKeyPath<AccountCache.Entries, BoundedCache<Key, Value>> & Sendable, _ key: Key,
        _ kind: AccountCache.Absence.Kind, _ digest: SHA256Digest,
        _ find: @escaping @Sendable (SQLConnection) throws -> Value?
    ) async throws -> Value? {
        let absence = AccountCache.Absence(kind: kind, digest: digest)
        if store.cache.knows(absence, state) { return nil }
        guard let found = try await store.lookups.run(find) else {
            store.cache.remember(absence, state)
            return nil
        }
        store.cache.remember(found, path, key, state)
        return found
    }
}
