import CloudEngine
package import CloudModel
import CloudSQL

/// The ticket of a sign-in link, which is good for one token: its id, and the time until which the id is remembered.
package struct SignInTicket: Hashable, Sendable {
    package let id: String
    package let expires: Timestamp

    package init(id: String, expires: Timestamp) {
        self.id = id
        self.expires = expires
    }

    /// Redeems the ticket, in the transaction that makes the token.
    ///
    /// - Throws: `EXISTS` if the ticket has been redeemed.
    func redeem(now: Timestamp, in db: SQLConnection) throws {
        try db.run("DELETE FROM usedTicket WHERE expires < ?", .seconds(now))
        let taken = try db.run(
            "INSERT INTO usedTicket (id, expires) VALUES (?, ?) ON CONFLICT DO NOTHING", .text(id),
            .seconds(expires))
        guard taken == 1 else { throw ServerError(.exists, "this sign-in link has been used", .credentials(.usedLink)) }
    }
}

extension WebSessions {
    /// Returns true if the ticket has been redeemed.
    package func isUsed(_ ticket: SignInTicket) async throws -> Bool {
        try await database.pool.read { db in
            try db.exists("SELECT 1 FROM usedTicket WHERE id = ?", .text(ticket.id))
        }
    }
}
