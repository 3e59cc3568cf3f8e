package import CloudModel
import CloudSQL
import CloudCrypto
import Synchronization

/// Uses of sign-ins since they were last written down.
///
/// A request notes a use here, and a job writes the notes in one transaction, so that reading writes nothing. A note holds
/// in this process at once. Other servers on the same accounts hear of it once it is written. A crash loses the notes of
/// the last seconds: their sign-ins then expire that much earlier.
///
/// State: the notes, under one lock, and no more than ``most``.
final class NotedUses: Sendable {
    /// The table of a kind of sign-in.
    enum Table: String {
        case session, browserLogin, consoleLogin

        fileprivate var update: String {
            switch self {
            case .session, .browserLogin:
                "UPDATE \(rawValue) SET lastUsed = ?1, expires = ?3 WHERE hash = ?2 AND lastUsed < ?1"
            // It ends at a fixed time, used or not.
            case .consoleLogin: "UPDATE consoleLogin SET lastUsed = ?1 WHERE hash = ?2 AND lastUsed < ?1"
            }
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

    fileprivate var all: [Key: Use] { notes.withLock(\.self) }

    /// Forgets notes that are written, but for those that were renewed since.
    fileprivate func forget(_ written: [Key: Use]) {
        notes.withLock { notes in for (key, use) in written where notes[key] == use { notes[key] = nil } }
    }

    fileprivate static func write(_ uses: [Key: Use], _ db: SQLConnection) throws {
        for (key, use) in uses {
            let values = [SQLValue.seconds(use.at), .blob(Array(key.hash)), .seconds(use.expires)]
            try db.run(key.table.update, Array(values.prefix(key.table == .consoleLogin ? 2 : 3)))
        }
    }
}

extension AccountStore {
    /// Writes down which sign-ins were used since the last time.
    package func writeUses() async throws {
        let noted = uses.all
        guard !noted.isEmpty else { return }
        try await pool.write { try NotedUses.write(noted, $0) }
        uses.forget(noted)
    }

    /// The same on the caller's thread.
    func writeUsesBlocking() throws {
        let noted = uses.all
        guard !noted.isEmpty else { return }
        try pool.writeBlocking { try NotedUses.write(noted, $0) }
        uses.forget(noted)
    }
}
