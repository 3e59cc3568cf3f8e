import CloudModel
package import Foundation
import GRDB

/// A person's account on this server, the same in every container.
package struct UserAccount: Hashable, Sendable {
    package let id: Int64
    package let email: String
    package let emailVerified: Bool
    package let givenName: String?
    package let familyName: String?
    package let phone: String?
    package let disabled: Bool
    package let hasPassword: Bool
    package let created: Date

    init(row: Row) {
        id = row["id"]
        email = row["email"]
        emailVerified = row["emailVerified"]
        givenName = row["givenName"]
        familyName = row["familyName"]
        phone = row["phone"]
        disabled = row["disabled"]
        hasPassword = (row["password"] as String?) != nil
        created = Date(timeIntervalSince1970: row["created"])
    }

    static func find(email: String, in db: Database) throws -> UserAccount? {
        try Row.fetchOne(
            db, sql: "SELECT * FROM account WHERE emailKey = ?", arguments: [EmailAddress.key(email)]
        ).map(UserAccount.init(row:))
    }

    /// The account of this email address, or an error that tells what to do.
    static func require(email: String, in db: Database) throws -> UserAccount {
        guard let account = try find(email: email, in: db) else {
            throw ServerError(.notFound, "there is no user '\(email)'; 'cumulus user create' makes one")
        }
        return account
    }
}

extension AccountStore {
    /// Every account, by email address.
    package func userAccounts() async throws -> [UserAccount] {
        try await pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM account ORDER BY emailKey").map(UserAccount.init(row:))
        }
    }

    /// The first accounts that are not disabled, by email address.
    package func userAccounts(limit: Int) async throws -> [UserAccount] {
        try await pool.read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM account WHERE NOT disabled ORDER BY emailKey LIMIT ?", arguments: [limit]
            ).map(UserAccount.init(row:))
        }
    }

    package func userAccount(email: String) async throws -> UserAccount? {
        try await pool.read { try UserAccount.find(email: email, in: $0) }
    }

    /// Makes an account. Its address counts as verified unless told otherwise: an operator vouches for it.
    ///
    /// - Throws: `EXISTS` when the address, in whatever case, has an account; `BAD_REQUEST` when it is none.
    package func createUserAccount(
        email: String, givenName: String? = nil, familyName: String? = nil, phone: String? = nil,
        emailVerified: Bool = true
    ) async throws -> UserAccount {
        let email = try EmailAddress.check(email)
        let phone = try phone.map { try PhoneNumber.check($0) }
        return try await pool.write { [created = clock()] db in
            guard try UserAccount.find(email: email, in: db) == nil else {
                throw ServerError(.exists, "user '\(email)' exists already")
            }
            return try Self.insertAccount(
                email: email, givenName: givenName, familyName: familyName, phone: phone, verified: emailVerified,
                created: created, in: db)
        }
    }

    /// - Parameter email: checked, and without an account.
    static func insertAccount(
        email: String, givenName: String?, familyName: String?, phone: String? = nil, password: String? = nil,
        verified: Bool, disabled: Bool = false, created: Date, in db: Database
    ) throws -> UserAccount {
        try db.execute(
            sql: """
                INSERT INTO account
                    (email, emailKey, emailVerified, givenName, familyName, phone, password, disabled, created)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                email, EmailAddress.key(email), verified, givenName, familyName, phone, password, disabled,
                created.timeIntervalSince1970,
            ])
        return try UserAccount.require(email: email, in: db)
    }

    /// Disables an account, ending its sessions in every container, or enables it again.
    package func setDisabled(_ disabled: Bool, email: String) async throws -> UserAccount {
        try await pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            try db.execute(
                sql: "UPDATE account SET disabled = ? WHERE id = ?", arguments: [disabled, account.id])
            if disabled {
                try Self.endSessions(account: account.id, in: db)
                try Self.endNotifications(account: account.id, in: db)
            }
            return try UserAccount.require(email: email, in: db)
        }
    }

    /// Signs an account out everywhere.
    static func endSessions(account: Int64, in db: Database) throws {
        try db.execute(sql: "DELETE FROM session WHERE account = ?", arguments: [account])
        try db.execute(sql: "DELETE FROM browserLogin WHERE account = ?", arguments: [account])
    }

    /// Tells an account's devices nothing any more.
    private static func endNotifications(account: Int64, in db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM pushRegistration
                WHERE (container, user) IN (SELECT container, recordName FROM userRecord WHERE account = ?)
                """,
            arguments: [account])
    }

    /// Sets a password, and signs the account out of the server's own pages: whoever knew the old one is to go.
    ///
    /// - Throws: `BAD_REQUEST` for a password shorter than 8 characters or longer than 1024 bytes.
    package func setPassword(_ password: String, email: String) async throws -> UserAccount {
        try PasswordHash.check(password)
        let hash = try await passwordWork.hash(password)
        return try await pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            try db.execute(
                sql: "UPDATE account SET password = ? WHERE id = ?", arguments: [hash.text, account.id])
            try db.execute(sql: "DELETE FROM browserLogin WHERE account = ?", arguments: [account.id])
            return try UserAccount.require(email: email, in: db)
        }
    }

    /// The account this is the address and the password of, if it may sign in.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when too many passwords wait to be checked.
    package func account(email: String, password: String) async throws -> UserAccount? {
        let known = try await pool.read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM account WHERE emailKey = ? AND NOT disabled",
                arguments: [EmailAddress.key(email)]
            ).map {
                (account: UserAccount(row: $0), password: ($0["password"] as String?).map(PasswordHash.init(stored:)))
            }
        }
        // An unknown address takes as long as a wrong password.
        return try await passwordWork.fits(password, known?.password) ? known?.account : nil
    }
}
