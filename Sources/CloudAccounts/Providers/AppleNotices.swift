import CloudCrypto
import CloudEngine
package import CloudIdentity
import CloudModel
import CloudSQL

/// The outcome of a notice of Apple's.
package enum NoticeOutcome: Hashable, Sendable {
    /// The notice was taken before.
    case repeated
    /// No account is connected with the person.
    case nobody
    /// The identity was changed, or removed from the account.
    case done(UserAccount)
}

extension PersonIdentities {
    /// How long a notice's id is remembered: longer than a notice is accepted.
    private static let memory = Duration.seconds(2 * 86_400)

    /// Does what a notice asks for, once for each id.
    ///
    /// Who withdraws consent, or deletes the account at Apple, is signed out and disconnected; their data stays.
    /// - Parameter issuer: the provider's issuer.
    package func take(_ notice: AppleNotice, issuer: String) async throws -> NoticeOutcome {
        let now = database.now()
        let digest = Base64URL.encode(Array(SHA256.hash(of: notice.id)))
        let ticket = SignInTicket(id: "notice \(digest)", expires: now + Self.memory)
        return try await database.pool.write { db in
            guard try ticket.isFresh(now: now, in: db) else { return .repeated }
            guard let identity = try PersonIdentity.find(issuer: issuer, subject: notice.subject, in: db) else {
                return .nobody
            }
            switch notice.kind {
            case .emailDisabled: try identity.setMail(isOff: true, in: db)
            case .emailEnabled: try identity.setMail(isOff: false, in: db)
            case .consentRevoked, .accountDeleted: try identity.end(now: now, in: db)
            }
            return .done(try UserAccount.require(id: identity.account, in: db))
        }
    }

    /// Returns true for an address whose owner has Apple's relay pass no mail on.
    package func isMailOff(for address: String) async throws -> Bool {
        guard !address.hasNullCharacter else { return false }
        return try await database.pool.read { db in
            try db.exists("SELECT 1 FROM identity WHERE email = ? AND isMailOff <> 0", .text(address))
        }
    }
}

extension PersonIdentity {
    fileprivate func setMail(isOff: Bool, in db: SQLConnection) throws {
        try db.run(
            "UPDATE identity SET isMailOff = ? WHERE issuer = ? AND subject = ?", .bool(isOff), .text(issuer),
            .text(subject))
    }

    /// Signs the account out everywhere, and disconnects the identity. The provider has ended its tokens.
    fileprivate func end(now: Timestamp, in db: SQLConnection) throws {
        try UserAccounts.endSessions(account: account, in: db)
        try EndedRegistration.end(account: account, in: db)
        try GivenRoleTable.withdraw(issuer: issuer, subject: subject, of: account, now: now, in: db)
        try db.run("DELETE FROM identity WHERE issuer = ? AND subject = ?", .text(issuer), .text(subject))
        try db.run("DELETE FROM identityToken WHERE issuer = ? AND subject = ?", .text(issuer), .text(subject))
    }
}
