package import CloudModel
package import CloudStore
import Crypto
package import Foundation

/// Makes and checks the links by which assets travel: for whoever holds one, until it expires, without credentials.
package struct AssetLinks: Sendable {
    /// Seconds an upload link is good (reference B §8.1).
    static let uploadLifetime = 900.0

    private let signer: TokenSigner
    /// Seconds a download link is good at most; at least three quarters of it, so that the same text is given for a
    /// while and caches work.
    private let lifetime: Double
    private let clock: @Sendable () -> Date

    package init(
        accounts: AccountStore, lifetime: Double, clock: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.init(key: try accounts.secret(for: "asset-links"), lifetime: lifetime, clock: clock)
    }

    init(key: SymmetricKey, lifetime: Double, clock: @escaping @Sendable () -> Date) {
        signer = TokenSigner(key: key)
        self.lifetime = lifetime
        self.clock = clock
    }

    /// What makes the links of one request.
    ///
    /// - Parameters:
    ///   - container: its name.
    ///   - origin: what the links begin with; empty for links within this server's own pages.
    package func links(container: String, environment: ContainerEnvironment, origin: String) -> AssetLinkWriter {
        let step = max(1, (lifetime / 4).rounded(.down))
        let expires = (clock().timeIntervalSince1970 / step).rounded(.down) * step + lifetime
        return AssetLinkWriter(
            links: self, place: AssetPlace(container: container, environment: environment), origin: origin,
            expires: Int64(expires))
    }

    /// What a link that was followed is worth.
    enum Verdict: Hashable {
        /// Good for so many seconds more.
        case good(seconds: Int)
        case expired
        case forged
    }

    /// - Parameter subject: what the link is for, as it was signed.
    func check(_ subject: String, _ signature: LinkSignature?) -> Verdict {
        guard let signature, signer.isSignature(signature.code, of: Self.signed(subject, signature.expires)) else {
            return .forged
        }
        let seconds = Double(signature.expires) - clock().timeIntervalSince1970
        return seconds > 0 ? .good(seconds: Int(seconds)) : .expired
    }

    func sign(_ subject: String, expires: Int64) -> LinkSignature {
        LinkSignature(expires: expires, code: signer.signature(of: Self.signed(subject, expires)))
    }

    private static func signed(_ subject: String, _ expires: Int64) -> [UInt8] { Array("\(expires) \(subject)".utf8) }

    // MARK: Uploads

    func seal(_ upload: UploadTicket, _ place: AssetPlace) -> String {
        var payload = JSONWriter(capacity: 256)
        payload.object {
            $0.member("c", place.container)
            $0.member("e", place.environment.rawValue)
            $0.member("i", upload.id)
            $0.member("o", upload.owner)
            $0.member("u", upload.user)
            $0.member("x", Int64(clock().timeIntervalSince1970 + Self.uploadLifetime))
        }
        return signer.seal(payload.bytes)
    }

    /// The upload a link is for, and whether it has expired; nil when it is forged.
    func open(_ text: String) -> (upload: UploadTicket, place: AssetPlace, isExpired: Bool)? {
        guard let payload = signer.open(text), let object = try? JSONParser.parse(payload).object,
            let container = object["c"]?.string,
            let environment = object["e"]?.string.flatMap(ContainerEnvironment.init(rawValue:)),
            let id = object["i"]?.string, let owner = object["o"]?.string, let user = object["u"]?.string,
            let expires = object["x"]?.integer
        else { return nil }
        return (
            UploadTicket(id: id, owner: owner, user: user), AssetPlace(container: container, environment: environment),
            Double(expires) <= clock().timeIntervalSince1970
        )
    }
}

/// Where an asset is.
struct AssetPlace: Hashable, Sendable {
    /// Its name.
    let container: String
    let environment: ContainerEnvironment

    var path: String { "\(container)/\(environment.rawValue)" }
}
