import CloudHTTP

/// Builds Content-Disposition headers (RFC 6266, RFC 8187).
package enum ContentDisposition {
    /// - Parameter name: any user text; slashes and control characters are removed.
    package static func text(isAttachment: Bool, name: String) -> String {
        let kind = isAttachment ? "attachment" : "inline"
        let safe = String(
            String.UnicodeScalarView(
                name.unicodeScalars.filter {
                    $0.value >= 0x20 && $0.value != 0x7F && !["/", "\\"].contains($0) && !$0.properties.isBidiControl
                }.prefix(150)))
        guard !safe.isEmpty, safe != ".", safe != ".." else { return kind }
        let plain = String(
            String.UnicodeScalarView(
                safe.unicodeScalars.map { $0.isASCII && $0 != "\"" && $0 != "%" && $0 != ";" ? $0 : "_" }))
        guard plain != safe else { return #"\#(kind); filename="\#(plain)""# }
        return #"\#(kind); filename="\#(plain)"; filename*=UTF-8''\#(PercentEncoding.encode(safe))"#
    }
}
