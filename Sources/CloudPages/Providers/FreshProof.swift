import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudModel

/// The proof, at most 10 minutes old, that the person at this browser owns an account: a sealed cookie.
enum FreshProof {
    static let cookieName = "cumulus_proof"
    /// How long a proof is fresh, in seconds.
    static let lifetime: Int64 = 600
}

extension PageCall {
    /// The cookie of a proof that was given just now.
    func proofCookie(for account: UserAccount) -> Cookie {
        let text = "\(account.id) \(site.accounts.now().wholeSeconds + FreshProof.lifetime)"
        return cookie(
            FreshProof.cookieName, site.proofs.seal(Array(text.utf8)), maxAge: .seconds(FreshProof.lifetime))
    }

    /// Returns true if the person has proven to own the account, in this browser, within the last 10 minutes.
    func hasFreshProof(of account: UserAccount) -> Bool {
        guard let sealed = cookie(FreshProof.cookieName), sealed.utf8.count <= 256,
            let bytes = site.proofs.open(sealed)
        else { return false }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int64($0) }
        return parts.count == 2 && parts[0] == account.id && parts[1] > site.accounts.now().wholeSeconds
    }
}

/// The link at `/account` that begins to connect an identity. Other sites cannot make it up.
enum ConnectLink {
    static let field = "connect"

    static func address(_ provider: SignInProvider, _ account: UserAccount, _ call: PageCall) -> String {
        "\(provider.callbackPath)?\(field)=\(call.site.proofs.signature(of: message(provider.name, account, call)))"
    }

    /// The signed-in account of a link that was shown to this session, with a fresh proof; nil otherwise.
    static func account(_ text: String, provider: String, _ call: PageCall) async throws -> UserAccount? {
        guard let account = try await call.session()?.account, call.hasFreshProof(of: account),
            call.site.proofs.isSignature(text, of: message(provider, account, call))
        else { return nil }
        return account
    }

    private static func message(_ provider: String, _ account: UserAccount, _ call: PageCall) -> String {
        "connect \(provider) \(account.id) \(call.cookie(BrowserSession.cookieName) ?? "")"
    }
}
