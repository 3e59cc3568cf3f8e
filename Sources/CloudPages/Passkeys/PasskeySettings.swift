import CloudAccounts
package import CloudIdentity

/// Validated settings of passkeys.
package struct PasskeySettings: Sendable {
    /// The relying-party id; nil for the host of the public URL.
    package var relyingParty: String?
    /// Further origins, with spaces between them; nil for none.
    package var origins: String?
    /// Whether the server starts although there are passkeys for another relying-party id.
    package var allowsOthers = false

    package init() {}

    /// The relying party of a public URL; nil without one.
    package func relyingParty(publicURL: String?) throws(RelyingParty.Fault) -> RelyingParty? {
        guard let publicURL else { return nil }
        let related = (origins ?? "").split(separator: " ").map(String.init)
        guard related.allSatisfy(Self.isOrigin) else { throw .origin }
        return try RelyingParty(
            id: relyingParty, origin: WebOrigin(publicURL)?.text ?? publicURL, relatedOrigins: related)
    }

    /// An origin as browsers spell it, or an Android app's.
    private static func isOrigin(_ text: String) -> Bool {
        text.hasPrefix("android:apk-key-hash:") || text.hasPrefix("https://") && WebOrigin(text)?.text == text
    }
}
