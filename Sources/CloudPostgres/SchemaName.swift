/// Maps a database path to a schema name.
enum SchemaName {
    /// PostgreSQL silently truncates longer names.
    private static let longest = 63

    /// - Parameters:
    ///   - path: the database path; a prefix `root` is removed.
    ///   - prefix: the name prefix of this installation.
    static func of(_ path: String, in root: String, prefix: String) -> String {
        var rest = path[...]
        if path.hasPrefix(root) { rest = rest.dropFirst(root.count) }
        if rest.hasSuffix(".sqlite") { rest = rest.dropLast(7) }
        let words = rest.utf8.map { byte -> Character in
            let lower = byte | 0x20
            let isKept = (0x61...0x7A).contains(lower) || (0x30...0x39).contains(byte)
            return isKept ? Character(Unicode.Scalar(byte >= 0x40 ? lower : byte)) : "_"
        }
        let name = prefix + String(words).drop { $0 == "_" }
        guard name.utf8.count > longest else { return name }
        let digits = String(hash(path), radix: 16)
        return name.prefix(longest - 17) + "_" + digits
    }

    /// FNV-1a, stable across platforms and versions.
    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
