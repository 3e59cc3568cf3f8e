import CloudModel
import CloudCrypto
import Synchronization

/// The results of requests' lookups since the credentials last changed, those that found nothing included.
///
/// State, all of it under one lock: the probe that tells of changes, the revision the entries belong to, and the
/// entries. An entry is only added under the revision it was read at or after, so a change can never be overlooked.
final class AccountCache: Sendable {
    struct Entries {
        var containers = BoundedCache<String, Container>()
        var apiTokens = BoundedCache<SHA256Digest, APIToken>()
        var serverKeys = BoundedCache<String, ServerKey>()
        var sessions = BoundedCache<SHA256Digest, WebSession>()
        var pushTokens = BoundedCache<SHA256Digest, PushToken>()
        /// The digests of API tokens and sessions that there are, by their text: a token that is known is not hashed again.
        var digests = BoundedCache<String, SHA256Digest>()
        /// The record types with a page rule, by container.
        var pageTypes = BoundedCache<Int64, Set<String>>()
    }

    /// A credential that there is not.
    struct Absence: Hashable, Sendable {
        enum Kind { case container, apiToken, serverKey, session, pushToken }

        let kind: Kind
        /// Of its text, which may be long.
        let digest: SHA256Digest
    }

    private struct State {
        let probe: any AccountsProbe
        var revision = AccountsRevision()
        var entries = Entries()
        var absences = BoundedCache<Absence, Void>()
        /// The number of push token registrations, which do not move the revision.
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

    /// Forgets what has changed, and tells the revision that holds now.
    func validate() async throws -> AccountsRevision {
        if let known = try known() { return known }
        guard let source else { throw Self.unknown }
        return adopt(try await source.read())
    }

    /// The same on the caller's thread, which waits.
    func validateBlocking() throws -> AccountsRevision {
        if let known = try known() { return known }
        guard let source else { throw Self.unknown }
        return adopt(try source.readBlocking())
    }

    /// The same; nil where the database has to be asked.
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

    /// Has the next ``validate()`` count what other processes have changed by now.
    func readAnew() { state.withLock { $0.probe.readAnew() } }

    func value<Key, Value: Sendable>(
        _ path: WritableKeyPath<Entries, BoundedCache<Key, Value>>, _ key: Key, _ revision: AccountsRevision
    ) -> Value? {
        state.withLock { $0.revision.changes == revision.changes ? $0.entries[keyPath: path][key] : nil }
    }

    /// The container, API token and session that a request names, as far as they are in memory.
    struct Credentials {
        var container: Container?
        var apiToken: APIToken?
        var session: WebSession?
    }

    /// - Parameters:
    ///   - apiToken: its text; nil for none.
    ///   - session: its text; nil for none.
    func credentials(
        container: String, apiToken: String?, session: String?, _ revision: AccountsRevision
    ) -> Credentials {
        state.withLock { state in
            guard state.revision.changes == revision.changes else { return Credentials() }
            let entries = state.entries
            func digest(_ text: String?) -> SHA256Digest? { text.flatMap { entries.digests[$0] } }
            return Credentials(
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

    /// To be called once a token is registered in one more place.
    func forget(pushToken hash: SHA256Digest) {
        state.withLock {
            $0.pushTokenChanges += 1
            $0.entries.pushTokens[hash] = nil
        }
    }

    /// - Parameter changes: ``pushTokenChanges`` from before the token was looked up.
    func remember(pushToken token: PushToken, revision: AccountsRevision, changes: Int64) {
        state.withLock {
            if $0.revision.changes == revision.changes, $0.pushTokenChanges == changes {
                $0.entries.pushTokens[token.hash] = token
            }
        }
    }

    /// Notes a push token's slide; false when another request has just done the same.
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

    /// Notes a session's slide; false when another request has just done the same.
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
