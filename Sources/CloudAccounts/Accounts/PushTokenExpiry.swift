import CloudEngine
package import CloudModel
import CloudSQL

extension PushTokens {
    /// The shortest time between two extensions of a token on disk.
    private static let slideInterval = Duration.seconds(3600)

    /// Extends a token in use; writes at most once an hour per token.
    ///
    /// - Returns: the new expiry if written, else nil.
    package func slide(_ token: PushToken, lifetime: Duration) async throws -> Timestamp? {
        let expires = database.now() + lifetime
        guard expires - token.expires >= min(Self.slideInterval, lifetime / 4),
            database.cache.slide(token, expires: expires)
        else { return nil }
        try await database.pool.write { db in
            _ = try db.run(
                "UPDATE pushToken SET expires = CASE WHEN expires < ?1 THEN ?1 ELSE expires END WHERE id = ?2",
                .seconds(expires),
                .integer(token.id))
        }
        return expires
    }

    /// Deletes expired tokens.
    package func removeExpired() async throws {
        try await database.pool.write { [now = database.now()] db in
            _ = try db.run("DELETE FROM pushToken WHERE expires <= ?", .seconds(now))
        }
    }
}

extension AccountReader {
    /// The push token with this text, expired or not.
    package func pushToken(_ text: String) async throws -> PushToken? {
        guard let hash = PushToken.hash(text) else { return nil }
        // Another server may have extended a token since the cache read its expiry.
        if let known = database.cache.value(\.pushTokens, hash, state), isGood(known) { return current(known) }
        let absence = AccountCache.Absence(kind: .pushToken, digest: hash)
        if database.cache.knows(absence, state) { return nil }
        let changes = database.cache.pushTokenChanges
        let found = try await database.lookups.run(isOneStatement: false) { try PushToken.find(hash: hash, in: $0) }
        if let found {
            database.cache.remember(pushToken: found, revision: state, changes: changes)
        } else {
            database.cache.remember(absence, state)
        }
        return found.map(current)
    }

    private func current(_ token: PushToken) -> PushToken {
        var token = token
        token.revision = revision
        return token
    }

    /// The cached token; nil if missing or expired.
    package func remembered(_ token: PushToken) -> PushToken? {
        if token.revision == revision, isGood(token) { return token }
        return database.cache.value(\.pushTokens, token.hash, state).flatMap { isGood($0) ? current($0) : nil }
    }

    /// Returns true if the token has not expired.
    package func isGood(_ token: PushToken) -> Bool { token.expires > database.now() }
}
