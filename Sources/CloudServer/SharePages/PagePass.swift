import CloudModel
import Crypto
import Foundation

/// What a browser that gave a page's password shows from then on: for that page, that password and some hours only.
struct PagePass {
    /// Seconds.
    static let lifetime = 12 * 3600.0
    static let cookie = "cumulus-page"

    let key: SymmetricKey

    /// - Parameter mark: what tells this password from a later one.
    func make(id: String, mark: String, now: Date) -> String {
        let expires = Int64((now + Self.lifetime).timeIntervalSince1970)
        let code = HMAC<SHA256>.authenticationCode(for: Self.message(id, mark, expires), using: key)
        return "\(expires).\(Base64URL.encode(Array(code)))"
    }

    func isGood(_ text: String, id: String, mark: String, now: Date) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let expires = Int64(parts[0]), Double(expires) > now.timeIntervalSince1970,
            let code = Base64URL.decode(String(parts[1]))
        else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(
            code, authenticating: Self.message(id, mark, expires), using: key)
    }

    private static func message(_ id: String, _ mark: String, _ expires: Int64) -> Data {
        // Lengths in front, so that no two different triples read the same.
        Data("\(id.utf8.count)|\(id)|\(mark.utf8.count)|\(mark)|\(expires)".utf8)
    }
}
