#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension String {
    /// True if the text has the character U+0000. PostgreSQL's texts cannot hold it and no stored name has it, so a look-up
    /// of such a name finds nothing.
    package var hasNullCharacter: Bool {
        utf8Span.span.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
    }
}

extension ZoneID {
    /// False for a zone that cannot be in the store, because its name or its owner's has the character U+0000.
    package var isStorable: Bool { !name.hasNullCharacter && !owner.hasNullCharacter }
}
