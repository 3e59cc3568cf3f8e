package import CloudAccounts
import CloudEngine
package import CloudModel

/// A token to probe a server's routing, issued to programs that can open its accounts.
package struct ProbeToken: Sendable {
    private static let lifetime: Int64 = 60_000

    private let signer: TokenSigner

    package init(_ accounts: AccountStore) throws {
        signer = TokenSigner(key: try accounts.secrets.keyBlocking(for: "doctor"))
    }

    /// A token valid for one minute.
    package func make(_ now: Timestamp) -> String {
        signer.seal(Array(String(now.milliseconds + Self.lifetime).utf8))
    }

    package func isGood(_ token: String, _ now: Timestamp) -> Bool {
        guard let payload = signer.open(token), let end = Int64(String(decoding: payload, as: UTF8.self)) else {
            return false
        }
        return now.milliseconds < end
    }
}
