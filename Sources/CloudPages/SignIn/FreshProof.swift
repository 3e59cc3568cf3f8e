import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudModel

/// A proof that the person at this browser owns an account: a password or a passkey within the last ten minutes. A signed
/// cookie names account and end; it signs nobody in.
enum FreshProof {
    static let cookieName = "cumulus_proof"
    static let lifetime = Duration.seconds(600)
}

extension PageCall {
    /// The cookie to set after a proof.
    func proofCookie(for account: UserAccount) -> Cookie {
        let end = (site.accounts.now() + FreshProof.lifetime).milliseconds
        return cookie(
            FreshProof.cookieName, site.proofSigner.seal(Array("proof \(account.id) \(end)".utf8)),
            maxAge: FreshProof.lifetime)
    }

    func hasFreshProof(of account: UserAccount) -> Bool {
        guard let text = cookie(FreshProof.cookieName), text.utf8.count <= 256,
            let payload = site.proofSigner.open(text)
        else { return false }
        // The key signs other texts too, which begin with another word.
        let parts = String(decoding: payload, as: UTF8.self).split(separator: " ")
        guard parts.count == 3, parts[0] == "proof", Int64(parts[1]) == account.id, let end = Int64(parts[2]) else {
            return false
        }
        return Timestamp(milliseconds: end) > site.accounts.now()
    }

    /// Accepts a fresh proof, else the password in a form field.
    ///
    /// - Returns: the cookie to set for a new proof.
    /// - Throws: a page for a wrong password, for too many of them, or for an account that needs another proof.
    func requireFreshProof(of account: UserAccount, orPasswordIn field: String) async throws -> Cookie? {
        if hasFreshProof(of: account) { return nil }
        try await requirePassword(of: account, in: field)
        return proofCookie(for: account)
    }
}
