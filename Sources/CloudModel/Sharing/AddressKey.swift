import Foundation

/// The key that all spellings of an email address share.
package enum AddressKey {
    /// Lower case, with the domain as DNS knows it: `ann@bücher.example` and `ann@xn--bcher-kva.example` have one key. Characters
    /// before the `@` that are equivalent in Unicode stay different.
    package static func make(_ email: String) -> String {
        let key = email.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        guard let at = key.lastIndex(of: "@"), !key[at...].utf8.allSatisfy({ $0 < 0x80 }) else { return key }
        let domain = String(key[key.index(after: at)...])
        return key[...at] + (encoded(domain) ?? domain)
    }

    /// The domain in ASCII (RFC 5891); nil for a text that is no domain.
    private static func encoded(_ domain: String) -> String? {
        let isName = domain.unicodeScalars.allSatisfy {
            !$0.isASCII || $0 == "." || $0 == "-" || ("a"..."z").contains($0) || ("0"..."9").contains($0)
        }
        guard isName, let host = URLComponents(string: "https://\(domain)/")?.encodedHost, !host.isEmpty,
            host.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") })
        else { return nil }
        return host.lowercased()
    }
}
