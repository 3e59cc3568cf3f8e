/// The schema that a database has, known to the store by a path.
enum SchemaName {
    /// PostgreSQL cuts longer names without a word.
    private static let longest = 63

    /// - Parameters:
    ///   - path: of the database, which is in the folder `root` if that is not empty.
    ///   - prefix: what names of this installation begin with.
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

    /// FNV-1a: the same everywhere and always.
    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
