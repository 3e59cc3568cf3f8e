import CloudEngine
import CloudModel
import CloudSQL
import CloudCrypto
import Synchronization

/// Sign-in uses waiting to be written to the database.
///
/// Requests note uses here and a job writes them in a few transactions, so that reading requests write nothing. A note takes
/// effect at once in this process, and after the write in other servers. A crash loses the notes of the last seconds: those
/// sign-ins expire that much earlier.
///
/// State: at most ``most`` notes, guarded by one lock.
final class NotedUses: Sendable {
    /// A table of sign-ins.
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
        /// A console sign-in has a fixed expiry; uses only update `lastUsed`.
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

    /// The largest number of notes; a use beyond it is dropped, and the next use is noted.
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

    /// The number of notes per transaction, small so that other writers of the accounts wait briefly.
    static let mostWritten = 500

    /// Notes split into transactions of at most ``mostWritten``.
    fileprivate var portions: [[(key: Key, value: Use)]] {
        let all = notes.withLock(\.self).sorted { $0.key.table.rawValue < $1.key.table.rawValue }
        return stride(from: 0, to: all.count, by: Self.mostWritten).map {
            Array(all[$0..<min($0 + Self.mostWritten, all.count)])
        }
    }

    /// Drops written notes, except notes renewed since.
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

extension AccountDatabase {
    /// Writes the noted uses to the database.
    func writeUses() async throws {
        for portion in uses.portions {
            try await pool.write { try NotedUses.write(portion, $0) }
            uses.forget(portion)
        }
    }

    /// Like ``writeUses()``, but blocks the calling thread.
    func writeUsesBlocking() throws {
        for portion in uses.portions {
            try pool.writeBlocking { try NotedUses.write(portion, $0) }
            uses.forget(portion)
        }
    }
}
