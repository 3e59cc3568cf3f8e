#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension String {
    /// True if the text contains U+0000. PostgreSQL's texts cannot, and no stored name does, so lookups of such names find
    /// nothing.
    package var hasNullCharacter: Bool {
        utf8Span.span.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
    }
}
