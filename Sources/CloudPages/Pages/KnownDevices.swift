package import CloudAccounts
import CloudEngine
package import CloudHTTP
import CloudModel

/// Recognizes browsers that have signed in to an account before, by a signed cookie. The cookie grants no access; it
/// only gives the browser a separate count of sign-in attempts.
package struct KnownDevices: Sendable {
    package static let cookieName = "cumulus_device"
    /// The longest cookie lifetime that browsers accept.
    package static let lifetime = Duration.seconds(400 * 86400)
    /// The accounts per browser; a further sign-in drops the oldest.
    private static let mostAccounts = 6

    private let signer: TokenSigner

    package init(accounts: AccountStore) throws {
        signer = TokenSigner(key: try accounts.secrets.keyBlocking(for: "device"))
    }

    /// This browser's name for the account; nil without an earlier sign-in.
    package func device(_ cookie: String?, account: Int64) -> String? {
        entries(cookie).lazy.compactMap { name(of: $0, account: account) }.first
    }

    /// The updated cookie after signing in to the account.
    package func cookie(adding account: Int64, to cookie: String?) -> String {
        let name = device(cookie, account: account) ?? RandomUUID.make(.secrets)
        let signature = signer.signature(of: message(name, account))
        let others = entries(cookie).filter { self.name(of: $0, account: account) == nil }
        return (["\(name).\(signature)"] + others.prefix(Self.mostAccounts - 1)).joined(separator: "~")
    }

    private func entries(_ cookie: String?) -> [String] {
        // Bounds the work on forged cookies; this server sets no longer cookie.
        guard let cookie, cookie.utf8.count <= Self.mostAccounts * 100 else { return [] }
        return cookie.split(separator: "~").prefix(Self.mostAccounts).map(String.init)
    }

    private func name(of entry: String, account: Int64) -> String? {
        let parts = entry.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0].utf8.count == 36,
            signer.isSignature(parts[1], of: message(parts[0], account))
        else { return nil }
        return parts[0]
    }

    private func message(_ name: String, _ account: Int64) -> String { "\(name) \(account)" }
}

extension PageCall {
    /// This browser's name for the account; nil without an earlier sign-in.
    package func device(for account: UserAccount) -> String? {
        site.devices.device(cookie(KnownDevices.cookieName), account: account.id)
    }

    /// The cookie that makes this browser known to the account.
    package func deviceCookie(for account: UserAccount) -> Cookie {
        cookie(
            KnownDevices.cookieName,
            site.devices.cookie(adding: account.id, to: cookie(KnownDevices.cookieName)),
            maxAge: KnownDevices.lifetime)
    }
}
