import CloudAccounts
import CloudCrypto
import CloudEngine
import CloudHTTP
import CloudIdentity
import CloudModel

/// A sign-in at a provider that a browser has begun. A cookie of the browser carries it, sealed.
struct ProviderAttempt {
    /// How long an attempt is good, in seconds.
    static let lifetime: Int64 = 600

    /// The provider's name.
    let provider: String
    let secrets: SignInAttempt
    let expires: Timestamp
    /// The field of a ``SignInPurpose``.
    var purpose: (name: String, value: String)?
    /// The account to connect the identity to; nil for a sign-in.
    var account: Int64?
    /// The channel on which the window tells the one that opened it; nil for none.
    var window: String?

    /// The purpose's fields as in a query.
    var fields: FormFields {
        guard let purpose else { return FormFields("".utf8) }
        return FormFields("\(purpose.name)=\(PercentEncoding.encode(purpose.value))".utf8)
    }

    var ticket: SignInTicket { SignInTicket(state: secrets.state, expires: expires) }

    /// 32 hex digits, which a page of ours makes up.
    static func channel(_ text: String?) -> String? {
        guard let text, text.utf8.count == 32, text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
            return nil
        }
        return text
    }
}

extension ProviderAttempt {
    /// The payload of the cookie.
    var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.object {
            $0.member("p", provider)
            $0.member("s", secrets.state)
            $0.member("n", secrets.nonce)
            $0.member("v", secrets.proof.verifier)
            $0.member("x", expires.wholeSeconds)
            $0.member("k", purpose?.name)
            $0.member("t", purpose?.value)
            if let account { $0.member("a", account) }
            $0.member("w", window)
        }
        return writer.bytes
    }

    init?(_ bytes: [UInt8]) {
        guard let object = try? JSONParser.parse(bytes).object, let provider = object["p"]?.string,
            let state = object["s"]?.string, let nonce = object["n"]?.string,
            let proof = object["v"]?.string.flatMap(ProofKey.init(verifier:)), let expires = object["x"]?.integer
        else { return nil }
        self.provider = provider
        secrets = SignInAttempt(state: state, nonce: nonce, proof: proof)
        self.expires = Timestamp(wholeSeconds: expires)
        if let name = object["k"]?.string, let value = object["t"]?.string { purpose = (name, value) }
        account = object["a"]?.integer
        window = object["w"]?.string
    }

    init(_ provider: SignInProvider, now: Timestamp) {
        self.provider = provider.name
        secrets = SignInAttempt()
        expires = Timestamp(wholeSeconds: now.wholeSeconds + Self.lifetime)
    }
}

/// The cookies of the attempts of a browser, one for each, named by its `state`.
struct AttemptCookies {
    static let prefix = "cumulus_with_"
    /// The attempts of a browser, and the bytes of their cookies together: another one drops the oldest. A link of another site
    /// begins an attempt with a long path to return to, and proxies refuse requests whose cookies have more than 8 KB.
    static let most = 4
    static let mostBytes = 4096
    /// Bytes of a cookie that is read.
    private static let longest = 4096

    private let call: PageCall

    init(_ call: PageCall) { self.call = call }

    static func name(state: String) -> String {
        prefix + Base64URL.encode(Array(SHA256.hash(data: Array(state.utf8))).prefix(12))
    }

    /// The attempt of a `state` that has not expired; nil for none in this browser.
    func find(state: String) -> ProviderAttempt? {
        let attempt = call.cookie(Self.name(state: state)).flatMap(open)
        return attempt.flatMap { $0.expires > call.site.accounts.now() && $0.secrets.state == state ? $0 : nil }
    }

    /// The cookies to set for a new attempt.
    func adding(_ attempt: ProviderAttempt) -> [Cookie] {
        let sealed = call.site.attempts.seal(attempt.bytes)
        let known = names.map { name in
            let value = call.cookie(name) ?? ""
            return (name: name, bytes: value.utf8.count, expires: open(value)?.expires ?? Timestamp(wholeSeconds: 0))
        }
        var (dropped, kept, bytes) = ([Cookie](), 1, sealed.utf8.count)
        for other in known.sorted(by: { $0.expires > $1.expires }) {
            bytes += other.bytes
            if kept < Self.most, bytes <= Self.mostBytes { kept += 1 } else { dropped.append(dropping(other.name)) }
        }
        let name = Self.name(state: attempt.secrets.state)
        return dropped + [cookie(name, sealed, maxAge: Int(ProviderAttempt.lifetime))]
    }

    func dropping(state: String) -> Cookie { dropping(Self.name(state: state)) }

    private func dropping(_ name: String) -> Cookie { cookie(name, "", maxAge: 0) }

    private func cookie(_ name: String, _ value: String, maxAge: Int) -> Cookie {
        call.site.origin.cookie(name, value, for: call.request, maxAge: maxAge, path: "/auth/with")
    }

    private func open(_ text: String) -> ProviderAttempt? {
        guard text.utf8.count <= Self.longest else { return nil }
        return call.site.attempts.open(text).flatMap(ProviderAttempt.init)
    }

    /// The unprefixed names of the attempts' cookies.
    private var names: [String] {
        let names = call.request.headers[values: .cookie].flatMap { field in
            field.split(separator: ";").compactMap { pair -> String? in
                let name = pair.drop { $0 == " " }.prefix { $0 != "=" }
                return name.firstRange(of: Self.prefix).map { String(name[$0.lowerBound...]) }
            }
        }
        return Set(names).sorted()
    }
}
