import CloudEngine
import CloudModel

/// A signed cookie value that opens a page after its password, until the password changes or the pass expires.
struct PagePass {
    static let lifetime = Duration.seconds(12 * 3600)
    /// The cookie name, distinct per page: over HTTPS browsers send the cookies of all pages to each.
    static func cookieName(of id: String) -> String {
        "cumulus-page-" + id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(64)
    }

    let signer: TokenSigner

    /// - Parameter mark: identifies the current password.
    func make(id: String, mark: String, now: Timestamp) -> String {
        let expires = (now + Self.lifetime).wholeSeconds
        return "\(expires).\(signer.signature(of: Self.message(id, mark, expires)))"
    }

    func isGood(_ text: String, id: String, mark: String, now: Timestamp) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let expires = Int64(parts[0]), Timestamp(wholeSeconds: expires) > now else {
            return false
        }
        return signer.isSignature(parts[1], of: Self.message(id, mark, expires))
    }

    private static func message(_ id: String, _ mark: String, _ expires: Int64) -> String {
        // Length prefixes make the encoding unambiguous.
        "\(id.utf8.count)|\(id)|\(mark.utf8.count)|\(mark)|\(expires)"
    }
}
