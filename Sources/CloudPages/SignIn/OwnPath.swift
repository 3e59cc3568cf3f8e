/// A return path on this server, as requested by a link.
///
/// The syntax is strict because browsers treat `//host`, `/\host` and `/<tab>/host` as other servers.
package struct OwnPath: Hashable, Sendable {
    package let text: String

    /// - Returns: nil for anything but a single slash and up to 2,000 printable ASCII characters without `\`.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...2000).contains(bytes.count), bytes[0] == UInt8(ascii: "/"),
            bytes.count == 1 || bytes[1] != UInt8(ascii: "/"),
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }
}
