import CloudEngine
import CloudModel
import CloudSQL
import CloudCrypto

/// A request for an account with an unconfirmed address.
package struct Registration: Hashable, Sendable {
    /// The unguessable id with which the browser continues.
    package let id: String
    /// The entered address, checked.
    package let email: String
    /// The code to mail; nil if the address has a confirmed account, which only its owner may learn.
    package let code: String?

    /// The lifetime of a code.
    package static let lifetime = Duration.seconds(30 * 60)
    /// The result of entering a code.
    package enum Outcome: Hashable, Sendable {
        case confirmed(UserAccount)
        case wrong(attemptsLeft: Int)
        /// The code is used up, expired or unknown.
        case gone
    }
}

/// Registrations of new accounts.
package struct Registrations: Sendable {
    let database: AccountDatabase

    /// Creates an account with an unconfirmed address, or another code for an unconfirmed account.
    ///
    /// Takes as long, and looks the same from outside, whether or not the address has an account. If several people register an
    /// address, each has a pending password, and the first to confirm gets the address.
    /// - Throws: `BAD_REQUEST` for an invalid address or a refused password.
    package func begin(
        email: String, password: String, givenName: String?, familyName: String?, turn: PasswordTurn = .known
    ) async throws -> Registration {
        let email = try EmailAddress.check(email)
        try PasswordRules.check(password, email: email)
        let known = try await database.pool.read { db in
            try db.first(
                "SELECT id, password FROM account WHERE emailKey = ? AND emailVerified = 0 AND disabled = 0",
                .text(EmailAddress.key(email))
            ) { (id: $0.integer(0), password: $0.optionalText(1).map(PasswordHash.init(stored:))) }
        }
        let isSamePerson = try await database.passwordWork.fits(password, known?.password, turn)
        let hash = try await database.passwordWork.hash(password, turn)
        let id = RandomText.hex(bytes: 16)
        let code = MailedCode()
        let key = try await ServerSecrets(database: database).key(for: "registration")
        let isCodeSent = try await database.pool.write { [now = database.now()] db in
            try db.run("DELETE FROM registration WHERE expires < ?", .seconds(now))
            var account = try UserAccount.find(email: email, in: db)
            var pending: String?
            if let account {
                // Nobody may take over an operator's account by registering.
                let isOperator = try OperatorAccounts.include(account.id, in: db)
                guard !account.emailVerified, !account.disabled, !isOperator else {
                    try Self.insertRegistration(id: id, email: email, now: now, in: db)
                    return false
                }
                if !isSamePerson || account.id != known?.id { pending = hash.text }
            } else {
                account = try UserAccounts.insertAccount(
                    email: email, givenName: givenName, familyName: familyName, password: hash.text, verified: false,
                    created: now, in: db)
            }
            try Self.insertRegistration(
                id: id, email: email, now: now, account: account?.id, code: code.digest(id: id, key),
                pending: pending, givenName: givenName, familyName: familyName, in: db)
            return true
        }
        return Registration(id: id, email: email, code: isCodeSent ? code.text : nil)
    }

    /// Confirms the address of a registration.
    ///
    /// If another person registered the address first, their account is deleted with its sessions, and the confirming person
    /// gets a new account, so that no earlier password stays valid.
    package func confirm(id: String, code: String) async throws -> Registration.Outcome {
        let key = try await ServerSecrets(database: database).key(for: "registration")
        return try await database.pool.write { [now = database.now()] db in
            let hash = SQLValue.blob(Array(SHA256.hash(of: id)))
            let found = try db.first(
                """
                SELECT code, account, email, givenName, familyName, password, attemptsLeft
                FROM registration WHERE id = ? AND expires > ? AND attemptsLeft > 0
                """, hash, .seconds(now)
            ) {
                (
                    code: $0.optionalBlob(0), account: $0.optionalInteger(1), email: $0.text(2),
                    givenName: $0.optionalText(3), familyName: $0.optionalText(4), password: $0.optionalText(5),
                    attemptsLeft: Int($0.integer(6))
                )
            }
            guard let found else { return .gone }
            let attemptsLeft = found.attemptsLeft - 1
            try db.run("UPDATE registration SET attemptsLeft = ? WHERE id = ?", .integer(Int64(attemptsLeft)), hash)
            guard let stored = found.code, MailedCode.isRight(code, stored, id: id, key), let account = found.account
            else { return attemptsLeft > 0 ? .wrong(attemptsLeft: attemptsLeft) : .gone }
            guard try !OperatorAccounts.include(account, in: db) else { return .gone }
            try db.run("DELETE FROM registration WHERE account = ?", .integer(account))
            guard let password = found.password else {
                try db.run("UPDATE account SET emailVerified = 1 WHERE id = ?", .integer(account))
                return .confirmed(try UserAccount.require(id: account, in: db))
            }
            try UserAccounts.takeAddress(from: account, in: db)
            return .confirmed(
                try UserAccounts.insertAccount(
                    email: found.email, givenName: found.givenName, familyName: found.familyName, password: password,
                    verified: true, created: now, in: db))
        }
    }

    private static func insertRegistration(
        id: String, email: String, now: Timestamp, account: Int64? = nil, code: [UInt8]? = nil, pending: String? = nil,
        givenName: String? = nil, familyName: String? = nil, in db: SQLConnection
    ) throws {
        try db.run(
            """
            INSERT INTO registration (id, code, account, email, givenName, familyName, password, attemptsLeft, expires)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .blob(Array(SHA256.hash(of: id))), code.map(SQLValue.blob) ?? .null,
            .integer(optional: account), .text(email), .text(optional: givenName), .text(optional: familyName),
            .text(optional: pending), .integer(Int64(MailedCode.attempts)),
            .seconds(now + Registration.lifetime))
    }
}
