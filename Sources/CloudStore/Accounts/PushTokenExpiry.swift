package import CloudModel
import CloudSQL

extension AccountStore {
    /// A token slides on disk at most this often.
    private static let slideInterval = Duration.seconds(3600)

    /// Prolongs a token that is in use; writes at most once an hour per token.
    ///
    /// - Returns: until when it is good now, if that was written; nil otherwise.
    package func slide(_ token: PushToken, lifetime: Duration) async throws -> Timestamp? {
        let expires = now() + lifetime
        guard expires - token.expires >= min(Self.slideInterval, lifetime / 4),
            cache.slide(token, expires: expires)
        else { return nil }
        try await pool.write { db in
            _ = try db.run(
                "UPDATE pushToken SET expires = CASE WHEN expires < ?1 THEN ?1 ELSE expires END WHERE id = ?2",
                .seconds(expires),
                .integer(token.id))
        }
        return expires
    }

    /// Forgets tokens that have expired.
    package func removeExpiredPushTokens() async throws {
        try await pool.write { [now = now()] db in
            _ = try db.run("DELETE FROM pushToken WHERE expires <= ?", .seconds(now))
        }
    }
}

extension AccountReader {
    /// The push token whose text this is, expired or not.
    package func pushToken(_ text: String) async throws -> PushToken? {
        guard let hash = PushToken.hash(text) else { return nil }
        // What memory holds as expired another server may have prolonged.
        if let known = store.cache.value(\.pushTokens, hash, state), isGood(known) { return current(known) }
        let absence = AccountCache.Absence(kind: .pushToken, digest: hash)
        if store.cache.knows(absence, state) { return nil }
        let changes = store.cache.pushTokenChanges
        let found = try await store.lookups.run(isOneStatement: false) { try PushToken.find(hash: hash, in: $0) }
        if let found {
            store.cache.remember(pushToken: found, revision: state, changes: changes)
        } else {
            store.cache.remember(absence, state)
        }
        return found.map(current)
    }

    private func current(_ token: PushToken) -> PushToken {
        var token = token
        token.revision = revision
        return token
    }

    /// The token as memory holds it now; nil for one that memory does not hold, or that is good no longer.
    package func remembered(_ token: PushToken) -> PushToken? {
        if token.revision == revision, isGood(token) { return token }
        return store.cache.value(\.pushTokens, token.hash, state).flatMap { isGood($0) ? current($0) : nil }
    }

    /// Returns true if the token has not expired.
    package func isGood(_ token: PushToken) -> Bool { token.expires > store.now() }
}
