package import CloudModel
import CloudSQL

/// The ticket that makes a sign-in link good for one token: its id, and until when it has to be remembered.
package struct SignInTicket: Hashable, Sendable {
    package let id: String
    package let expires: Timestamp

    package init(id: String, expires: Timestamp) {
        self.id = id
        self.expires = expires
    }

    /// Takes the ticket, in the transaction that makes the token.
    ///
    /// - Throws: `EXISTS` when it was taken before.
    func redeem(now: Timestamp, in db: SQLConnection) throws {
        try db.run("DELETE FROM usedTicket WHERE expires < ?", .seconds(now))
        let taken = try db.run(
            "INSERT INTO usedTicket (id, expires) VALUES (?, ?) ON CONFLICT DO NOTHING", .text(id),
            .seconds(expires))
        guard taken == 1 else { throw ServerError(.exists, "this sign-in link has been used", .credentials(.usedLink)) }
    }
}

extension AccountStore {
    /// Returns true if a token has been made with the ticket.
    package func isUsed(_ ticket: SignInTicket) async throws -> Bool {
        try await pool.read { db in
            try db.exists("SELECT 1 FROM usedTicket WHERE id = ?", .text(ticket.id))
        }
    }
}
