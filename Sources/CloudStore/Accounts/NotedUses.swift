package import CloudModel
import CloudSQL
import CloudCrypto
import Synchronization

/// Uses of sign-ins since they were last written down.
///
/// A request notes a use here, and a job writes the notes in few transactions, so that reading writes nothing. A note holds
/// in this process at once. Other servers on the same accounts hear of it once it is written. A crash loses the notes of
/// the last seconds: their sign-ins then expire that much earlier.
///
/// State: the notes, under one lock, and no more than ``most``.
final class NotedUses: Sendable {
    /// The table of a kind of sign-in.
    enum Table: String {
        case session, browserLogin, consoleLogin

        fileprivate var update: DeferredStatement {
            switch self {
            case .session: Self.sessions
            case .browserLogin: Self.browserLogins
            case .consoleLogin: Self.consoleLogins
            }
        }

        private static let sessions = update("session", ["lastUsed", "expires"])
        private static let browserLogins = update("browserLogin", ["lastUsed", "expires"])
        /// A sign-in to the console ends at a fixed time, used or not.
        private static let consoleLogins = update("consoleLogin", ["lastUsed"])

        private static func update(_ table: String, _ columns: [String]) -> DeferredStatement {
            let one = columns.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: ", ")
            let all = columns.map { "\($0) = given.\($0)" }.joined(separator: ", ")
            return DeferredStatement(
                "UPDATE \(table) SET \(one) WHERE hash = ?\(columns.count + 1) AND lastUsed < ?1",
                many: .given(
                    columns: columns + ["hash"],
                    statement: """
                        UPDATE \(table) SET \(all) FROM given
                        WHERE \(table).hash = given.hash AND \(table).lastUsed < given.lastUsed
                        """), rank: 0)
        }
    }

    struct Key: Hashable {
        let table: Table
        let hash: SHA256Digest
    }

    struct Use: Hashable {
        let at: Timestamp
        let expires: Timestamp
    }

    /// Notes that wait at most; a use beyond that is noted the next time.
    private static let most = 50_000

    private let notes = Mutex<[Key: Use]>([:])

    subscript(_ table: Table, _ hash: SHA256Digest) -> Use? {
        notes.withLock { $0[Key(table: table, hash: hash)] }
    }

    func note(_ use: Use, _ table: Table, _ hash: SHA256Digest) {
        let key = Key(table: table, hash: hash)
        notes.withLock { notes in
            if notes.count < Self.most || notes[key] != nil { notes[key] = use }
        }
    }

    /// Notes that one transaction writes, so that other writers of the accounts wait for some statements at most.
    static let mostWritten = 500

    /// The notes in portions, one for each transaction.
    fileprivate var portions: [[(key: Key, value: Use)]] {
        let all = notes.withLock(\.self).sorted { $0.key.table.rawValue < $1.key.table.rawValue }
        return stride(from: 0, to: all.count, by: Self.mostWritten).map {
            Array(all[$0..<min($0 + Self.mostWritten, all.count)])
        }
    }

    /// Forgets notes that are written, but for those that were renewed since.
    fileprivate func forget(_ written: [(key: Key, value: Use)]) {
        notes.withLock { notes in for (key, use) in written where notes[key] == use { notes[key] = nil } }
    }

    fileprivate static func write(_ uses: [(key: Key, value: Use)], _ db: SQLConnection) throws {
        for (key, use) in uses {
            let end = key.table == .consoleLogin ? [] : [SQLValue.seconds(use.expires)]
            try db.later(key.table.update, [.seconds(use.at)] + end + [.blob(Array(key.hash))])
        }
        try db.writeDeferred()
    }
}

extension AccountStore {
    /// Writes down which sign-ins were used since the last time.
    package func writeUses() async throws {
        for portion in uses.portions {
            try await pool.write { try NotedUses.write(portion, $0) }
            uses.forget(portion)
        }
    }

    /// The same on the caller's thread.
    func writeUsesBlocking() throws {
        for portion in uses.portions {
            try pool.writeBlocking { try NotedUses.write(portion, $0) }
            uses.forget(portion)
        }
    }
}
