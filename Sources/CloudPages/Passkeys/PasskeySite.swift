import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudIdentity
import CloudModel

/// The relying party of a server's pages, and its challenges.
struct PasskeySite: Sendable {
    private let configured: RelyingParty?
    private let isDevelopment: Bool
    private let signer: TokenSigner

    init(_ settings: PasskeySettings, _ http: HTTPSettings, accounts: AccountStore) throws {
        // The program says why there are no passkeys.
        configured = try? settings.relyingParty(publicURL: http.publicURL)
        isDevelopment = http.dev && http.publicURL == nil
        signer = TokenSigner(key: try accounts.secrets.keyBlocking(for: "passkey"))
    }

    /// The relying party; nil where there are no passkeys. Without a public URL only a development server has one, on
    /// `localhost`: elsewhere a request's `Host` would choose it.
    func relyingParty(_ origin: @autoclosure () -> String) -> RelyingParty? {
        guard isDevelopment else { return configured }
        let local = try? RelyingParty(origin: origin())
        return local?.id == "localhost" ? local : nil
    }

    func seal(_ challenge: PasskeyChallenge) -> String {
        var payload = JSONWriter(capacity: 256)
        payload.object {
            $0.member("c", Base64URL.encode(challenge.bytes))
            $0.member("p", challenge.purpose.rawValue)
            $0.member("a", challenge.account)
            $0.member("b", challenge.browser)
            $0.member("x", challenge.expires.milliseconds)
        }
        return signer.seal(payload.bytes)
    }

    func open(_ text: String) -> PasskeyChallenge? {
        guard text.utf8.count <= 2048, let payload = signer.open(text),
            let object = try? JSONParser.parse(payload).object,
            let bytes = object["c"]?.string.flatMap({ Base64URL.decode($0) }),
            let purpose = object["p"]?.string.flatMap(PasskeyChallenge.Purpose.init),
            let account = object["a"]?.integer,
            let browser = object["b"]?.string, let expires = object["x"]?.integer
        else { return nil }
        return PasskeyChallenge(
            bytes: bytes, purpose: purpose, account: account, browser: browser,
            expires: Timestamp(milliseconds: expires))
    }
}

/// A challenge, which the browser holds sealed until it answers: the server keeps only the ids of answered ones.
package struct PasskeyChallenge: Hashable, Sendable {
    package enum Purpose: String, Sendable {
        case signIn, add, prove, console
    }

    let bytes: [UInt8]
    let purpose: Purpose
    /// 0 where the account is not known yet.
    let account: Int64
    /// The form guard's digest of the browser's cookie.
    let browser: String
    let expires: Timestamp

    var ticket: SignInTicket { SignInTicket(challenge: bytes, expires: expires) }
}
