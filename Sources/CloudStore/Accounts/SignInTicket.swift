import CloudModel
package import Foundation
import GRDB

/// What makes a sign-in link good for one token: its id, and until when it has to be remembered.
package struct SignInTicket: Hashable, Sendable {
    package let id: String
    package let expires: Date

    package init(id: String, expires: Date) {
        self.id = id
        self.expires = expires
    }

    /// Takes the ticket, in the transaction that makes the token.
    ///
    /// - Throws: `EXISTS` when it was taken before.
    func redeem(now: Date, in db: Database) throws {
        try db.execute(sql: "DELETE FROM usedTicket WHERE expires < ?", arguments: [now.timeIntervalSince1970])
        try db.execute(
            sql: "INSERT INTO usedTicket (id, expires) VALUES (?, ?) ON CONFLICT DO NOTHING",
            arguments: [id, expires.timeIntervalSince1970])
        guard db.changesCount == 1 else { throw ServerError(.exists, "this sign-in link has been used") }
    }
}

extension AccountStore {
    /// Whether a token has been made with the ticket.
    package func isUsed(_ ticket: SignInTicket) async throws -> Bool {
        try await pool.read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT * FROM usedTicket WHERE id = ?)", arguments: [ticket.id]) ?? false
        }
    }
}
