import CloudModel
import CloudStore

/// The proof that a browser shows after it gave a page's password: for that page, that password and some hours only.
struct PagePass {
    static let lifetime = Duration.seconds(12 * 3600)
    /// The name of a page's cookie: over https a browser sends those of all pages to each.
    static func cookieName(of id: String) -> String {
        "cumulus-page-" + id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(64)
    }

    let signer: TokenSigner

    /// - Parameter mark: what tells this password from a later one.
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
        // Lengths in front, so that no two different triples read the same.
        "\(id.utf8.count)|\(id)|\(mark.utf8.count)|\(mark)|\(expires)"
    }
}
