import CloudAccounts
import CloudCrypto
import CloudEngine
import CloudIdentity
import CloudModel

/// The app that a nonce or a token is for.
struct AppPlace: Hashable, Sendable {
    let container: Int64
    let environment: ContainerEnvironment
    /// The row id of the API token; 0 for the development token.
    let apiToken: Int64
}

/// Nonces for identity tokens of apps. A nonce carries what it is for, sealed: only used ones are stored.
package struct ExchangeNonces: Sendable {
    /// How long a nonce is good, in seconds.
    static let lifetime: Int64 = 600
    /// The longest text that is looked at, in bytes.
    private static let longest = 512

    private let signer: TokenSigner

    init(_ accounts: AccountStore) throws {
        signer = TokenSigner(key: try accounts.secrets.keyBlocking(for: "exchange-nonce"))
    }

    /// A nonce of some 120 characters of base64url.
    ///
    /// - Parameter expires: when it ends, in seconds.
    func make(for place: AppPlace, expires: Int64) -> String {
        var payload = JSONWriter(capacity: 128)
        payload.object {
            $0.member("r", Base64URL.encode(RandomBits.bytes(16, .secrets)))
            $0.member("c", place.container)
            $0.member("e", place.environment == .production ? 1 : 0)
            $0.member("t", place.apiToken)
            $0.member("x", expires)
        }
        return signer.seal(payload.bytes)
    }

    /// The ticket of a nonce; nil for a forged one, an expired one and another app's.
    func open(_ text: String, for place: AppPlace, now: Timestamp) -> SignInTicket? {
        guard text.utf8.count <= Self.longest, let payload = signer.open(text),
            let object = try? JSONParser.parse(payload).object, object["c"]?.integer == place.container,
            object["e"]?.integer == (place.environment == .production ? 1 : 0),
            object["t"]?.integer == place.apiToken, let expires = object["x"]?.integer, expires > now.wholeSeconds
        else { return nil }
        return SignInTicket(
            id: "nonce " + Base64URL.encode(Array(SHA256.hash(data: payload))),
            expires: Timestamp(wholeSeconds: expires))
    }
}
