import CloudModel
import Crypto
import Foundation
import GRDB

/// Somebody has asked for an account with an address that nobody has confirmed yet.
package struct Registration: Hashable, Sendable {
    /// What the browser that asked goes on with; unguessable.
    package let id: String
    /// The address as it was given, checked.
    package let email: String
    /// What to send to the address; nil when it has a confirmed account already, which only its owner may be told.
    package let code: String?

    /// Seconds a code is good for.
    package static let lifetime = 30 * 60.0
    /// How often a wrong code may be entered.
    package static let attempts = 5

    /// What came of a code.
    package enum Outcome: Hashable, Sendable {
        case confirmed(UserAccount)
        case wrong(attemptsLeft: Int)
        /// Used up, too old or never there.
        case gone
    }
}

extension AccountStore {
    /// Makes an account whose address is unverified, or another code for an address that nobody has confirmed.
    ///
    /// Takes as long, and looks the same from outside, whether or not the address has an account. Of several people
    /// who claim one address the first to confirm it has it: until then each has only their own password pending.
    /// - Throws: `BAD_REQUEST` for an address or a password that will not do.
    package func register(
        email: String, password: String, givenName: String?, familyName: String?
    ) async throws -> Registration {
        let email = try EmailAddress.check(email)
        try PasswordHash.check(password)
        let known = try await pool.read { db in
            try Row.fetchOne(
                db, sql: "SELECT id, password FROM account WHERE emailKey = ? AND NOT emailVerified AND NOT disabled",
                arguments: [EmailAddress.key(email)]
            ).map { (id: $0["id"] as Int64, password: ($0["password"] as String?).map(PasswordHash.init(stored:))) }
        }
        let isSamePerson = try await passwordWork.fits(password, known?.password)
        let hash = try await passwordWork.hash(password)
        let id = RandomText.hex(bytes: 16)
        let code = Self.makeCode()
        let key = try secret(for: "registration")
        let isCodeSent = try await pool.write { [now = clock()] db in
            try db.execute(sql: "DELETE FROM registration WHERE expires < ?", arguments: [now.timeIntervalSince1970])
            var account = try UserAccount.find(email: email, in: db)
            var pending: String?
            if let account {
                guard !account.emailVerified, !account.disabled else {
                    try Self.insertRegistration(id: id, email: email, now: now, in: db)
                    return false
                }
                if !isSamePerson || account.id != known?.id { pending = hash.text }
            } else {
                account = try Self.insertAccount(
                    email: email, givenName: givenName, familyName: familyName, password: hash.text, verified: false,
                    created: now, in: db)
            }
            try Self.insertRegistration(
                id: id, email: email, now: now, account: account?.id, code: Self.digest(of: code, id: id, key),
                pending: pending, givenName: givenName, familyName: familyName, in: db)
            return true
        }
        return Registration(id: id, email: email, code: isCodeSent ? code : nil)
    }

    /// Confirms the address of a registration.
    ///
    /// Whoever proves the address gets an account of their own: if another person has begun one with it, that one
    /// goes, with its sessions, so that nobody keeps a way into it.
    package func confirmRegistration(id: String, code: String) async throws -> Registration.Outcome {
        let key = try secret(for: "registration")
        return try await pool.write { [now = clock()] db in
            let hash = Data(SHA256.hash(data: Data(id.utf8)))
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM registration WHERE id = ? AND expires > ? AND attemptsLeft > 0",
                arguments: [hash, now.timeIntervalSince1970])
            guard let row else { return .gone }
            let attemptsLeft = (row["attemptsLeft"] as Int) - 1
            try db.execute(
                sql: "UPDATE registration SET attemptsLeft = ? WHERE id = ?", arguments: [attemptsLeft, hash])
            guard let stored = row["code"] as Data?, Self.isCode(code, stored, id: id, key),
                let account = row["account"] as Int64?
            else { return attemptsLeft > 0 ? .wrong(attemptsLeft: attemptsLeft) : .gone }
            try db.execute(sql: "DELETE FROM registration WHERE account = ?", arguments: [account])
            let email: String = row["email"]
            guard let password = row["password"] as String? else {
                try db.execute(sql: "UPDATE account SET emailVerified = 1 WHERE id = ?", arguments: [account])
                return .confirmed(try UserAccount.require(email: email, in: db))
            }
            try Self.endSessions(account: account, in: db)
            try db.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [account])
            return .confirmed(
                try Self.insertAccount(
                    email: email, givenName: row["givenName"], familyName: row["familyName"], password: password,
                    verified: true, created: now, in: db))
        }
    }

    /// Eight digits.
    private static func makeCode() -> String {
        let number = String(UInt32.random(in: 0..<100_000_000))
        return String(repeating: "0", count: 8 - number.count) + number
    }

    /// Keyed, because a code is short enough to be found by trying.
    private static func digest(of code: String, id: String, _ key: SymmetricKey) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data("\(id):\(code)".utf8), using: key))
    }

    private static func isCode(_ code: String, _ stored: Data, id: String, _ key: SymmetricKey) -> Bool {
        let digits = code.filter { !$0.isWhitespace && $0 != "-" }
        return HMAC<SHA256>.isValidAuthenticationCode(
            stored, authenticating: Data("\(id):\(digits)".utf8), using: key)
    }

    private static func insertRegistration(
        id: String, email: String, now: Date, account: Int64? = nil, code: Data? = nil, pending: String? = nil,
        givenName: String? = nil, familyName: String? = nil, in db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO registration (id, code, account, email, givenName, familyName, password, attemptsLeft, expires)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Data(SHA256.hash(data: Data(id.utf8))), code, account, email, givenName, familyName, pending,
                Registration.attempts, (now + Registration.lifetime).timeIntervalSince1970,
            ])
    }
}
