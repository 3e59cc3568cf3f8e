import Crypto
import Foundation
import Synchronization

/// What requests have looked up since the credentials last changed.
///
/// State, all of it under one lock: the probe that tells of changes, the revision the entries belong to, and the
/// entries. An entry is only added under the revision it was read at or after, so a change can never be overlooked.
final class AccountCache: Sendable {
    struct Entries {
        var containers = BoundedCache<String, Container>()
        var apiTokens = BoundedCache<SHA256Digest, APIToken>()
        var serverKeys = BoundedCache<String, ServerKey>()
        var sessions = BoundedCache<SHA256Digest, WebSession>()
    }

    private struct State {
        let probe: AccountRevision
        var revision: Int64 = 0
        var entries = Entries()
    }

    private let state: Mutex<State>

    init(probe: sending AccountRevision) {
        state = Mutex(State(probe: probe))
    }

    /// Forgets everything if credentials have changed, and tells the revision that holds now.
    func validate() throws -> Int64 {
        try state.withLock { state in
            let revision = try state.probe.current()
            if revision != state.revision {
                state.revision = revision
                state.entries = Entries()
            }
            return revision
        }
    }

    func value<Key, Value: Sendable>(
        _ path: WritableKeyPath<Entries, BoundedCache<Key, Value>>, _ key: Key, revision: Int64
    ) -> Value? {
        state.withLock { $0.revision == revision ? $0.entries[keyPath: path][key] : nil }
    }

    func remember<Key, Value: Sendable>(
        _ value: Value, _ path: WritableKeyPath<Entries, BoundedCache<Key, Value>>, _ key: Key, revision: Int64
    ) {
        state.withLock { if $0.revision == revision { $0.entries[keyPath: path][key] = value } }
    }

    /// Notes a session's slide; false when another request has just done the same.
    func slide(_ session: WebSession, now: Date, expires: Date) -> Bool {
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

/// A dictionary that starts over when it is full, so that a flood of names cannot grow it.
struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var capacity: Int { 10_000 }
    private var entries: [Key: Value] = [:]

    subscript(key: Key) -> Value? {
        get { entries[key] }
        set {
            if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
            entries[key] = newValue
        }
    }
}
