import CloudCrypto
import CloudEngine
package import CloudModel
import CloudSQL

extension PersonIdentity {
    /// The identities that an account may have.
    package static let mostPerAccount = 20

    /// Names the identity among those of its account, in forms: 22 letters of base64url.
    package var key: String {
        Base64URL.encode(Array(SHA256.hash(of: "\(issuer)\u{0}\(subject)")).prefix(16))
    }
}

extension SignInTicket {
    /// The ticket of a sign-in at a provider.
    ///
    /// - Parameter state: the `state` of the authorization request.
    package init(state: String, expires: Timestamp) {
        self.init(id: "state " + Base64URL.encode(Array(SHA256.hash(of: state))), expires: expires)
    }

    /// Redeems the ticket, in the transaction that makes the session.
    ///
    /// - Returns: false if it has been redeemed.
    func isFresh(now: Timestamp, in db: SQLConnection) throws -> Bool {
        do { try redeem(now: now, in: db) } catch let error as ServerError where error.code == .exists { return false }
        return true
    }
}

extension PersonIdentities {
    /// Signs a person in with a browser: makes the account at the first sign-in, and connects the identity.
    ///
    /// - Parameters:
    ///   - verdict: the verdict of the provider's rule on a person without an account.
    ///   - roles: the roles of the person's groups; nil to leave those that they have.
    ///   - ticket: the ticket of the sign-in, which is redeemed.
    package func signIn(
        _ person: ProvenPerson, admitting verdict: SignInAdmission.Verdict, roles: Set<GroupRole.Role>? = nil,
        redeeming ticket: SignInTicket, browser: BrowserName? = nil
    ) async throws -> IdentitySignIn {
        let token = RandomText.hex(bytes: 32)
        let now = database.now()
        let expires = now + database.sessionLifetimes.lifetime(persistent: false)
        let hint = try await BrowserLogins(database: database).sealedHint(person.login, for: token)
        return try await database.pool.write { db in
            guard try ticket.isFresh(now: now, in: db) else { return .refused(.used) }
            let owner = try IdentityOwner.find(of: person, verdict, now: now, in: db)
            switch owner {
            case .known(let account), .new(let account):
                if let roles { try GivenRoleTable.set(roles, of: account.id, by: person, now: now, in: db) }
                let new = BrowserLogins.New(
                    token: token, account: account.id, persistent: false, browser: browser, login: person.login,
                    hint: hint)
                try BrowserLogins.insert(new, now: now, expires: expires, in: db)
                return .signedIn(account, IdentityLogin(token: token, isFirst: owner == .new(account)))
            case .ownsAddress(let account): return .ownsAddress(account)
            case .refused(let refusal): return .refused(refusal)
            }
        }
    }

    /// Connects an identity to an account whose person has proven to be its owner.
    ///
    /// - Returns: nil if the identity is connected, from before or now.
    package func connect(
        _ person: ProvenPerson, to account: Int64, redeeming ticket: SignInTicket
    ) async throws -> IdentityRefusal? {
        try await database.pool.write { [now = database.now()] db in
            guard try ticket.isFresh(now: now, in: db) else { return .used }
            guard try !UserAccount.require(id: account, in: db).disabled else { return .disabled }
            if let known = try PersonIdentity.find(issuer: person.issuer, subject: person.subject, in: db) {
                guard known.account == account else { return .otherAccount }
                try PersonIdentity.noteUse(of: person, now: now, in: db)
                return nil
            }
            guard try PersonIdentity.all(of: account, in: db).count < PersonIdentity.mostPerAccount else {
                return .tooMany
            }
            try PersonIdentity.insert(person, account: account, now: now, in: db)
            return nil
        }
    }

    /// Disconnects an identity from an account.
    ///
    /// - Parameters:
    ///   - key: ``PersonIdentity/key``.
    ///   - countsPassword: whether a password is a way in.
    /// - Returns: false for an identity that the account has not.
    /// - Throws: `CONFLICT` for the last way in.
    package func disconnect(_ key: String, from account: Int64, countsPassword: Bool = true) async throws -> Bool {
        try await database.pool.write { [now = database.now()] db in
            guard let identity = try PersonIdentity.all(of: account, in: db).first(where: { $0.key.isExactly(key) })
            else { return false }
            try WaysIn.keepOne(of: account, removing: .identity, countsPassword: countsPassword, in: db)
            try GivenRoleTable.withdraw(
                issuer: identity.issuer, subject: identity.subject, of: account, now: now, in: db)
            try db.run(
                "DELETE FROM identity WHERE issuer = ? AND subject = ? AND account = ?", .text(identity.issuer),
                .text(identity.subject), .integer(account))
            return true
        }
    }
}

extension PersonIdentity {
    static func insert(_ person: ProvenPerson, account: Int64, now: Timestamp, in db: SQLConnection) throws {
        try insert(
            issuer: person.issuer, subject: person.subject, provider: person.provider, email: person.email,
            account: account, now: now, in: db)
    }

    /// Keeps the time of a use, and the address as the provider told it.
    static func noteUse(of person: ProvenPerson, now: Timestamp, in db: SQLConnection) throws {
        try db.run(
            "UPDATE identity SET provider = ?, email = ?, lastUsed = ? WHERE issuer = ? AND subject = ?",
            .text(person.provider), .text(optional: person.email), .seconds(now), .text(person.issuer),
            .text(person.subject))
    }
}
