import CloudCrypto
import CloudEngine
import CloudModel
import CloudSQL

/// A code mailed to an account's address, with which its owner proves to be there. The account stays as it is.
package struct AddressProof: Sendable {
    /// The unguessable id with which the browser continues.
    package let id: String
    package let code: String

    package enum Outcome: Hashable, Sendable {
        case proven
        case wrong(attemptsLeft: Int)
        /// The code is used up, expired or unknown.
        case gone
    }
}

/// Codes that prove the owner of an address. They are kept beside those for new passwords, under a key of their own: neither
/// does the other's work.
package struct AddressProofs: Sendable {
    let database: AccountDatabase

    /// - Returns: nil for an account without a confirmed address.
    package func begin(for account: UserAccount) async throws -> AddressProof? {
        guard let email = account.email, account.emailVerified else { return nil }
        let proof = AddressProof(id: RandomText.hex(bytes: 16), code: MailedCode().text)
        let digest = MailedCode.digest(of: proof.code, id: proof.id, try await key())
        try await database.pool.write { [now = database.now()] db in
            try db.run("DELETE FROM passwordReset WHERE expires < ?", .seconds(now))
            try db.run(
                "INSERT INTO passwordReset (id, code, account, email, attemptsLeft, expires) VALUES (?, ?, ?, ?, ?, ?)",
                .blob(Array(SHA256.hash(of: proof.id))), .blob(digest), .integer(account.id), .text(email),
                .integer(Int64(MailedCode.attempts)), .seconds(now + PasswordReset.lifetime))
        }
        return proof
    }

    /// Uses a code up.
    package func finish(id: String, code: String, of account: UserAccount) async throws -> AddressProof.Outcome {
        let key = try await key()
        let hash = SQLValue.blob(Array(SHA256.hash(of: id)))
        return try await database.pool.write { [now = database.now()] db in
            guard let attemptsLeft = try PasswordResets.takeAttempt(hash, now: now, db) else { return .gone }
            let found = try db.first("SELECT code, account FROM passwordReset WHERE id = ?", hash) {
                (code: $0.optionalBlob(0), account: $0.optionalInteger(1))
            }
            guard let stored = found?.code, found?.account == account.id, MailedCode.isRight(code, stored, id: id, key)
            else { return attemptsLeft > 0 ? .wrong(attemptsLeft: attemptsLeft) : .gone }
            try db.run("DELETE FROM passwordReset WHERE id = ?", hash)
            return .proven
        }
    }

    private func key() async throws -> SymmetricKey {
        try await ServerSecrets(database: database).key(for: "address-proof")
    }
}

extension AccountStore {
    package var addressProofs: AddressProofs { AddressProofs(database: database) }
}
