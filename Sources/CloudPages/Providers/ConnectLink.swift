import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudModel

/// The link at `/account` that begins to connect an identity. Other sites cannot make it up.
enum ConnectLink {
    static let field = "connect"

    static func address(_ provider: SignInProvider, _ account: UserAccount, _ call: PageCall) -> String {
        "\(provider.callbackPath)?\(field)=\(call.site.proofSigner.signature(of: message(provider.name, account, call)))"
    }

    /// The signed-in account of a link that was shown to this session, with a fresh proof; nil otherwise.
    static func account(_ text: String, provider: String, _ call: PageCall) async throws -> UserAccount? {
        guard let account = try await call.session()?.account, call.hasFreshProof(of: account),
            call.site.proofSigner.isSignature(text, of: message(provider, account, call))
        else { return nil }
        return account
    }

    private static func message(_ provider: String, _ account: UserAccount, _ call: PageCall) -> String {
        "connect \(provider) \(account.id) \(call.cookie(BrowserSession.cookieName) ?? "")"
    }
}
