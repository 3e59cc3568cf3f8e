import Foundation

/// The current sign-in and its number, which keeps answers to an earlier sign-in from restoring their token.
final class Session: Sendable {
    struct Snapshot: Sendable, Equatable {
        let webAuthToken: String?
        let number: Int
    }

    private struct State {
        var loaded = false
        var token: String?
        var number = 0
    }

    private let store: any CredentialStore
    private let state = Mutex(State())

    init(_ store: any CredentialStore) { self.store = store }

    func current() throws -> Snapshot {
        try state.withLock { state in
            if !state.loaded {
                state.token = try store.load()
                state.loaded = true
            }
            return Snapshot(webAuthToken: state.token, number: state.number)
        }
    }

    /// Replaces the signed-in user; nil signs out.
    func replace(_ token: String?) throws {
        try state.withLock { state in
            try store.save(token)
            state.token = token
            state.loaded = true
            state.number += 1
        }
    }

    /// Stores a renewed token of the same user, received in an answer to a request of `session`.
    func rotate(to token: String, from session: Snapshot) throws {
        try state.withLock { state in
            guard state.number == session.number, state.token != nil, state.token != token else { return }
            try store.save(token)
            state.token = token
        }
    }
}
