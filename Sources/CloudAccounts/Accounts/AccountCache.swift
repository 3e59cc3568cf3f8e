import CloudEngine
import CloudModel
import CloudCrypto
import Synchronization

/// Caches requests' lookups of credentials, unsuccessful lookups included, until the credentials change.
///
/// State, guarded by one lock: the probe for changes, the revision of the entries, and the entries. An entry is only added
/// under a revision read before the entry's lookup, so an entry never hides a change.
final class AccountCache: Sendable {
    struct Entries {
        var containers = BoundedCache<String, Container>()
        var apiTokens = BoundedCache<SHA256Digest, APIToken>()
        var serverKeys = BoundedCache<String, ServerKey>()
        var sessions = BoundedCache<SHA256Digest, WebSession>()
        var pushTokens = BoundedCache<SHA256Digest, PushToken>()
        /// Digests of existing API tokens and sessions, by text, so that known tokens are not hashed again.
        var digests = BoundedCache<String, SHA256Digest>()
        /// Record types with a page rule, by container.
        var pageTypes = BoundedCache<Int64, Set<String>>()
        /// All providers of sign-in, under one key.
        var providers = BoundedCache<Int64, [SignInProvider]>()
    }

    /// A credential that does not exist.
    struct Absence: Hashable, Sendable {
        enum Kind { case container, apiToken, serverKey, session, pushToken }

        let kind: Kind
        /// The digest of the credential's text, which may be long.
        let digest: SHA256Digest
    }

    private struct State {
        let probe: any AccountsProbe
        var revision = AccountsRevision()
        var entries = Entries()
        var absences = BoundedCache<Absence, Void>()
        /// Counts push token registrations, which do not move the revision.
        var pushTokenChanges: Int64 = 0

        mutating func adopt(_ current: AccountsRevision) {
            if current.changes != revision.changes { entries = Entries() }
            if current != revision { absences = BoundedCache() }
            revision = current
        }
    }

    private let state: Mutex<State>
    private let source: (any RevisionSource)?

    init(probe: sending any AccountsProbe) {
        source = probe.source
        state = Mutex(State(probe: probe))
    }

    /// Drops outdated entries and returns the current revision.
    func validate() async throws -> AccountsRevision {
        if let known = try known() { return known }
        guard let source else { throw Self.unknown }
        return adopt(try await source.read())
    }

    /// Like ``validate()``, but blocks the calling thread.
    func validateBlocking() throws -> AccountsRevision {
        if let known = try known() { return known }
        guard let source else { throw Self.unknown }
        return adopt(try source.readBlocking())
    }

    /// Like ``validate()``, but returns nil instead of reading the database.
    func known() throws -> AccountsRevision? {
        try state.withLock { state in
            let current = try state.probe.current()
            if let current { state.adopt(current) }
            return current
        }
    }

    private func adopt(_ current: AccountsRevision) -> AccountsRevision {
        state.withLock { $0.adopt(current) }
        return current
    }

    private static let unknown = ServerError(.internalError, "the accounts have no revision", .server(.fault))

    /// Has the next ``validate()`` count changes of other processes.
    func readAnew() { state.withLock { $0.probe.readAnew() } }

    func value<Key, Value: Sendable>(
        _ path: WritableKeyPath<Entries, BoundedCache<Key, Value>>, _ key: Key, _ revision: AccountsRevision
    ) -> Value? {
        state.withLock { $0.revision.changes == revision.changes ? $0.entries[keyPath: path][key] : nil }
    }

    /// The cached container, API token and session of a request; nil for uncached values.
    struct KnownCredentials {
        var container: Container?
        var apiToken: APIToken?
        var session: WebSession?
    }

    /// - Parameters:
    ///   - apiToken: its text; nil for none.
    ///   - session: its text; nil for none.
    func credentials(
        container: String, apiToken: String?, session: String?, _ revision: AccountsRevision
    ) -> KnownCredentials {
        state.withLock { state in
            guard state.revision.changes == revision.changes else { return KnownCredentials() }
            let entries = state.entries
            func digest(_ text: String?) -> SHA256Digest? { text.flatMap { entries.digests[$0] } }
            return KnownCredentials(
                container: entries.containers[container],
                apiToken: digest(apiToken).flatMap { entries.apiTokens[$0] },
                session: digest(session).flatMap { entries.sessions[$0] })
        }
    }

    func remember<Key, Value: Sendable>(
        _ value: Value, _ path: WritableKeyPath<Entries, BoundedCache<Key, Value>>, _ key: Key,
        _ revision: AccountsRevision
    ) {
        state.withLock { if $0.revision.changes == revision.changes { $0.entries[keyPath: path][key] = value } }
    }

    func knows(_ absence: Absence, _ revision: AccountsRevision) -> Bool {
        state.withLock { $0.revision == revision && $0.absences.contains(absence) }
    }

    func remember(_ absence: Absence, _ revision: AccountsRevision) {
        state.withLock { if $0.revision == revision { $0.absences.insert(absence) } }
    }

    var absenceCount: Int { state.withLock { $0.absences.entries.count } }

    // MARK: Push tokens

    var pushTokenChanges: Int64 { state.withLock { $0.pushTokenChanges } }

    /// Drops a token's entry after a registration in another environment.
    func forget(pushToken hash: SHA256Digest) {
        state.withLock {
            $0.pushTokenChanges += 1
            $0.entries.pushTokens[hash] = nil
        }
    }

    /// - Parameter changes: ``pushTokenChanges`` before the token's lookup.
    func remember(pushToken token: PushToken, revision: AccountsRevision, changes: Int64) {
        state.withLock {
            if $0.revision.changes == revision.changes, $0.pushTokenChanges == changes {
                $0.entries.pushTokens[token.hash] = token
            }
        }
    }

    /// Extends a cached push token; false if another request has just extended it.
    func slide(_ token: PushToken, expires: Timestamp) -> Bool {
        state.withLock { state in
            guard var known = state.entries.pushTokens[token.hash] else { return true }
            guard known.expires <= token.expires else { return false }
            known.expires = expires
            state.entries.pushTokens[token.hash] = known
            return true
        }
    }

    // MARK: Sessions

    /// Extends a cached session; false if another request has just extended it.
    func slide(_ session: WebSession, now: Timestamp, expires: Timestamp) -> Bool {
        state.withLock { state in
            guard var known = state.entries.sessions[session.hash] else { return true }
            guard known.lastUsed <= session.lastUsed else { return false }
            known.lastUsed = now
            known.expires = expires
            state.entries.sessions[session.hash] = known
            return true
        }
    }
}
