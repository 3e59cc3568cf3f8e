import CloudEngine
import CloudModel
import CloudSQL

/// The outcome of an app's identity token.
package enum IdentityExchange: Hashable, Sendable {
    case signedIn(AppLogin)
    /// An account has the address, which is confirmed: its owner connects the identity on the sign-in page.
    case ownsAddress
    case refused(IdentityRefusal)
}

/// A person signed in to an app.
package struct AppLogin: Hashable, Sendable {
    package let account: UserAccount
    /// The web auth token, which cannot be read again.
    package let token: String
    package let userRecordName: String
}

extension PersonIdentities {
    /// Signs a person in to an app: makes the account at the first sign-in, and connects the identity.
    ///
    /// - Parameters:
    ///   - verdict: the verdict of the provider's rule on a person without an account.
    ///   - roles: the roles of the person's groups; nil to leave those that they have.
    ///   - ticket: the ticket of the app's nonce, which is redeemed.
    package func exchange(
        _ person: ProvenPerson, admitting verdict: SignInAdmission.Verdict, roles: Set<GroupRole.Role>?,
        redeeming ticket: SignInTicket, in place: SessionPlace
    ) async throws -> IdentityExchange {
        let token = WebSessions.makeToken()
        let now = database.now()
        let expires = now + database.sessionLifetimes.lifetime(persistent: place.persistent)
        return try await database.pool.write { db in
            guard try ticket.isFresh(now: now, in: db) else { return .refused(.used) }
            switch try IdentityOwner.find(of: person, verdict, now: now, in: db) {
            case .known(let account), .new(let account):
                if let roles { try GivenRoleTable.set(roles, of: account.id, by: person, now: now, in: db) }
                let name = try WebSessions.insert(
                    token, account: account.id, place, now: now, expires: expires, from: person.login, in: db)
                return .signedIn(AppLogin(account: account, token: token, userRecordName: name))
            case .ownsAddress: return .ownsAddress
            case .refused(let refusal): return .refused(refusal)
            }
        }
    }
}
