package import CloudAccounts
import CloudEngine
package import CloudModel
package import CloudStore
package import CloudCrypto
import Foundation

/// Signs and verifies asset links. A link needs no other credentials until it expires.
package struct AssetLinks: Sendable {
    /// The lifetime of an upload link (reference B §8.1).
    static let uploadLifetime = Duration.seconds(900)

    private let signer: TokenSigner
    /// The maximum lifetime of a download link. Expiries are rounded down by up to a quarter, so that repeated links are
    /// identical and caches work.
    private let lifetime: Duration
    private let now: Now

    package init(accounts: AccountStore, lifetime: Duration) throws {
        self.init(key: try accounts.secrets.keyBlocking(for: "asset-links"), lifetime: lifetime, now: accounts.now)
    }

    package init(key: SymmetricKey, lifetime: Duration, now: @escaping Now) {
        signer = TokenSigner(key: key)
        self.lifetime = lifetime
        self.now = now
    }

    /// Returns a link writer for one request.
    ///
    /// - Parameters:
    ///   - container: the container's name.
    ///   - origin: the start of the URLs; empty for links within this server's pages.
    package func links(container: String, environment: ContainerEnvironment, origin: String) -> AssetLinkWriter {
        let step = max(1, lifetime.components.seconds / 4)
        let expires = Timestamp(wholeSeconds: now().wholeSeconds / step * step) + lifetime
        return AssetLinkWriter(
            links: self, place: AssetPlace(container: container, environment: environment), origin: origin,
            expires: expires)
    }

    /// The result of a link check.
    package enum Verdict: Hashable {
        /// Valid, with remaining seconds.
        case good(seconds: Int)
        case expired
        case forged
    }

    /// - Parameter subject: the signed text.
    package func check(_ subject: String, _ signature: LinkSignature?) -> Verdict {
        guard let signature, signer.isSignature(signature.code, of: Self.signed(subject, signature.expires)) else {
            return .forged
        }
        let time = signature.expires - now()
        return time > .zero ? .good(seconds: Int(time.components.seconds)) : .expired
    }

    func sign(_ subject: String, expires: Timestamp) -> LinkSignature {
        LinkSignature(expires: expires, code: signer.signature(of: Self.signed(subject, expires)))
    }

    private static func signed(_ subject: String, _ expires: Timestamp) -> [UInt8] {
        Array("\(expires.wholeSeconds) \(subject)".utf8)
    }

    // MARK: Uploads

    func seal(_ upload: UploadTicket, _ place: AssetPlace) -> String {
        var payload = JSONWriter(capacity: 256)
        payload.object {
            $0.member("c", place.container)
            $0.member("e", place.environment.rawValue)
            $0.member("i", upload.id)
            $0.member("o", upload.owner)
            $0.member("u", upload.user)
            $0.member("x", (now() + Self.uploadLifetime).wholeSeconds)
        }
        return signer.seal(payload.bytes)
    }

    /// Opens an upload link; nil for a forged link.
    package func open(_ text: String) -> (upload: UploadTicket, place: AssetPlace, isExpired: Bool)? {
        guard let payload = signer.open(text), let object = try? JSONParser.parse(payload).object,
            let container = object["c"]?.string,
            let environment = object["e"]?.string.flatMap(ContainerEnvironment.init(rawValue:)),
            let id = object["i"]?.string, let owner = object["o"]?.string, let user = object["u"]?.string,
            let expires = object["x"]?.integer
        else { return nil }
        return (
            UploadTicket(id: id, owner: owner, user: user), AssetPlace(container: container, environment: environment),
            Timestamp(wholeSeconds: expires) <= now()
        )
    }
}

/// The environment that holds an asset.
package struct AssetPlace: Hashable, Sendable {
    /// The container's name.
    package let container: String
    package let environment: ContainerEnvironment

    package init(container: String, environment: ContainerEnvironment) {
        self.container = container
        self.environment = environment
    }

    package var path: String { "\(container)/\(environment.rawValue)" }
}
