/// The W3C Trace Context header `traceparent`: version, trace, span and flags in hexadecimal.
enum TraceParent {
    /// The header's value if well-formed; otherwise nil, since clients may send any text.
    static func checked(_ text: String?) -> String? {
        guard let text, text.utf8.count == 55 else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [2, 32, 16, 2], parts.allSatisfy({ $0.allSatisfy(isDigit) }) else { return nil }
        return text
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
