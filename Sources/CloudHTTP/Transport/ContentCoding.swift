import CloudModel

/// Refuses request bodies with a Content-Encoding (RFC 9110 section 15.5.16).
package enum ContentCoding {
    private static let longestQuote = 64

    /// - Returns: nil for a body without an encoding, and for methods without a body.
    package static func refusal(of request: Request) -> RequestRefusal? {
        guard ![.get, .head, .options].contains(request.method),
            let coding = request.headers[values: .contentEncoding].first(where: isCoded)
        else { return nil }
        let shown = Naming.shown(String(coding.prefix(longestQuote)))
        var refusal = RequestRefusal(
            .badRequest(
                "the request body has the Content-Encoding '\(shown)'; send it as it is, without an encoding"),
            status: .unsupportedMediaType)
        refusal.page = PageError(.unsupportedMediaType, key: "error.encoding", .input)
        refusal.takesNoCoding = true
        return refusal
    }

    private static func isCoded(_ value: String) -> Bool {
        value.split(separator: ",").contains { coding in
            let name = coding.filter { $0 != " " && $0 != "\t" }.lowercased()
            return !name.isEmpty && name != "identity"
        }
    }
}
