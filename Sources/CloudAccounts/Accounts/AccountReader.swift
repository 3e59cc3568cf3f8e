import CloudEngine
import CloudModel
import CloudSQL
import CloudCrypto

/// A snapshot of the credentials, taken when a request starts.
///
/// Found and missing credentials are cached until a credential is changed or added, so a new token works at once.
package struct AccountReader: Sendable {
    let database: AccountDatabase
    let state: AccountsRevision

    /// A number that increases when credentials are changed or removed.
    package var revision: Int64 { state.changes }

    /// The container of this exact name; nil if missing.
    package func container(named name: String) async throws -> Container? {
        try await lookUp(\.containers, name, .container, SHA256.hash(of: name)) {
            try Container.find(name: name, in: $0)
        }
    }

    /// The API token with this text, in any container.
    package func apiToken(_ text: String) async throws -> APIToken? {
        let hash = SHA256.hash(of: text)
        let token = try await lookUp(\.apiTokens, hash, .apiToken, hash) { try APIToken.find(hash: hash, in: $0) }
        if token != nil { database.cache.remember(hash, \.digests, text, state) }
        return token
    }

    /// The cached container, API token and live session for these names and texts; nil for uncached values.
    package func credentialsAtHand(
        container: String, apiToken: String?, session: String?
    ) -> (container: Container?, apiToken: APIToken?, session: WebSession?) {
        let known = database.cache.credentials(container: container, apiToken: apiToken, session: session, state)
        let live = known.session.flatMap { $0.expires > database.now() ? $0 : nil }
        return (known.container, known.apiToken, live)
    }

    /// The server-to-server key with this id; nil if revoked.
    package func serverKey(_ id: String) async throws -> ServerKey? {
        try await lookUp(\.serverKeys, id, .serverKey, SHA256.hash(of: id)) { try ServerKey.find(id: id, in: $0) }
    }

    /// The live session with this token; nil if the user is disabled.
    package func session(_ token: String) async throws -> WebSession? {
        let hash = SHA256.hash(of: token)
        let now = database.now()
        if let known = database.cache.value(\.sessions, hash, state), known.expires > now {
            database.cache.remember(hash, \.digests, token, state)
            return known
        }
        // Another process may have extended a session since the cache read its expiry.
        let found = try await find(\.sessions, hash, .session, hash) { try WebSession.find(hash: hash, in: $0) }
        guard var session = found else { return nil }
        if let noted = database.uses[.session, hash], noted.at > session.lastUsed {
            (session.lastUsed, session.expires) = (noted.at, noted.expires)
            database.cache.remember(session, \.sessions, hash, state)
        }
        return session.expires > now ? session : nil
    }

    /// - Parameter digest: the digest of the key, whose length is unlimited.
    private func lookUp<Key, Value: Sendable>(
        _ path: any WritableKeyPath<AccountCache.Entries, BoundedCache<Key, Value>> & Sendable, _ key: Key,
        _ kind: AccountCache.Absence.Kind, _ digest: @autoclosure () -> SHA256Digest,
        _ find: @escaping @Sendable (SQLConnection) throws -> Value?
    ) async throws -> Value? {
        if let known = database.cache.value(path, key, state) { return known }
        return try await self.find(path, key, kind, digest(), find)
    }

    private func find<Key, Value: Sendable>(
        _ path: any WritableKeyPath<AccountCache.Entries, BoundedCache<Key, Value>> & Sendable, _ key: Key,
        _ kind: AccountCache.Absence.Kind, _ digest: SHA256Digest,
        _ find: @escaping @Sendable (SQLConnection) throws -> Value?
    ) async throws -> Value? {
        let absence = AccountCache.Absence(kind: kind, digest: digest)
        if database.cache.knows(absence, state) { return nil }
        guard let found = try await database.lookups.run(find) else {
            database.cache.remember(absence, state)
            return nil
        }
        database.cache.remember(found, path, key, state)
        return found
    }
}
