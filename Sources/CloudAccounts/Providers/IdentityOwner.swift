import CloudEngine
import CloudModel
import CloudSQL

/// The account of a person at a provider.
enum IdentityOwner: Hashable {
    case known(UserAccount)
    case new(UserAccount)
    /// The address is confirmed for this account, which the identity is not connected to.
    case ownsAddress(UserAccount)
    case refused(IdentityRefusal)

    /// Finds the account, or makes it.
    static func find(
        of person: ProvenPerson, _ verdict: SignInAdmission.Verdict, now: Timestamp, in db: SQLConnection
    ) throws -> IdentityOwner {
        if let identity = try PersonIdentity.find(issuer: person.issuer, subject: person.subject, in: db) {
            return try known(identity, person, now: now, in: db)
        }
        guard let address = person.address else { return try make(person, nil, verdict, now: now, in: db) }
        guard let holder = try UserAccount.find(email: address, in: db) else {
            return try make(person, address, verdict, now: now, in: db)
        }
        guard person.isAddressProven else { return try make(person, nil, verdict, now: now, in: db) }
        if holder.emailVerified { return try owner(holder, person, verdict, now: now, in: db) }
        // Operators and disabled accounts keep their addresses.
        let mayTake = try !holder.disabled && !OperatorAccounts.include(holder.id, in: db)
        return try make(person, mayTake ? address : nil, taking: mayTake ? holder : nil, verdict, now: now, in: db)
    }

    private static func known(
        _ identity: PersonIdentity, _ person: ProvenPerson, now: Timestamp, in db: SQLConnection
    ) throws -> IdentityOwner {
        var account = try UserAccount.require(id: identity.account, in: db)
        guard !account.disabled else { return .refused(.disabled) }
        try PersonIdentity.noteUse(of: person, now: now, in: db)
        if let address = person.address, person.isAddressProven, !account.emailVerified, let own = account.email,
            EmailAddress.key(own) == EmailAddress.key(address), try !OperatorAccounts.include(account.id, in: db)
        {
            try confirm(account, by: identity, now: now, in: db)
            account = try UserAccount.require(id: account.id, in: db)
        }
        return .known(account)
    }

    /// Confirms an address that others may have entered: all that was made before ends.
    private static func confirm(
        _ account: UserAccount, by identity: PersonIdentity, now: Timestamp, in db: SQLConnection
    ) throws {
        for other in try PersonIdentity.all(of: account.id, in: db)
        where !(other.issuer.isExactly(identity.issuer) && other.subject.isExactly(identity.subject)) {
            try GivenRoleTable.withdraw(
                issuer: other.issuer, subject: other.subject, of: account.id, now: now, in: db)
        }
        try UserAccounts.endSessions(account: account.id, in: db)
        try EndedRegistration.end(account: account.id, in: db)
        try db.run("DELETE FROM registration WHERE account = ?", .integer(account.id))
        try db.run("DELETE FROM passwordReset WHERE account = ?", .integer(account.id))
        try db.run(
            "DELETE FROM identity WHERE account = ? AND NOT (issuer = ? AND subject = ?)", .integer(account.id),
            .text(identity.issuer), .text(identity.subject))
        try db.run("DELETE FROM passkey WHERE account = ?", .integer(account.id))
        try db.run("UPDATE account SET emailVerified = 1, password = NULL WHERE id = ?", .integer(account.id))
    }

    /// The owner of a confirmed address: connected at once if an operator made the account and it was never used.
    private static func owner(
        _ holder: UserAccount, _ person: ProvenPerson, _ verdict: SignInAdmission.Verdict, now: Timestamp,
        in db: SQLConnection
    ) throws -> IdentityOwner {
        guard !holder.disabled else { return .refused(.disabled) }
        guard try isUnused(holder, in: db) else { return .ownsAddress(holder) }
        if case .refused(let refusal) = verdict { return .refused(.admission(refusal)) }
        try PersonIdentity.insert(person, account: holder.id, now: now, in: db)
        return .new(holder)
    }

    /// True for an account that nobody could sign in to yet. Operators' accounts are never taken so.
    private static func isUnused(_ account: UserAccount, in db: SQLConnection) throws -> Bool {
        let hasSignedIn = try ["userRecord", "session", "browserLogin"].contains {
            try db.exists("SELECT 1 FROM \($0) WHERE account = ?", .integer(account.id))
        }
        return try !hasSignedIn && WaysIn.find(of: account.id, in: db).count == 0
            && !OperatorAccounts.include(account.id, in: db)
    }

    /// - Parameters:
    ///   - address: the new account's address; nil for none.
    ///   - holder: an account that has the address unconfirmed.
    private static func make(
        _ person: ProvenPerson, _ address: String?, taking holder: UserAccount? = nil,
        _ verdict: SignInAdmission.Verdict, now: Timestamp, in db: SQLConnection
    ) throws -> IdentityOwner {
        switch verdict {
        case .admitted: break
        case .onlyInvited: return .refused(.admission(nil))
        case .refused(let refusal): return .refused(.admission(refusal))
        }
        if let holder { try UserAccounts.takeAddress(from: holder.id, in: db) }
        let account = try UserAccounts.insertAccount(
            email: address, givenName: person.givenName, familyName: person.familyName,
            verified: address != nil && person.isAddressProven, created: now, in: db)
        try PersonIdentity.insert(person, account: account.id, now: now, in: db)
        return .new(account)
    }
}
