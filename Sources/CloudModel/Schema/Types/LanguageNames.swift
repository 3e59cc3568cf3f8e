/// Unique identifiers in a target language for the names of a schema.
struct LanguageNames {
    private let names: [String: String]

    /// - Parameters:
    ///   - taken: names that already have a meaning in the generated text.
    ///   - suffix: appended to a name that is taken.
    init(_ schemaNames: some Sequence<String>, taken: Set<String>, suffix: String) {
        let sorted = schemaNames.sorted(by: Self.precedes)
        let plain = sorted.filter { Self.identifier($0) == $0 && !taken.contains($0) }
        // A name that is a valid identifier stays unchanged and takes precedence.
        var names = Dictionary(uniqueKeysWithValues: plain.map { ($0, $0) })
        var used = taken.union(plain)
        for name in sorted where names[name] == nil {
            let identifier = Self.identifier(name)
            let wanted = taken.contains(identifier) ? identifier + suffix : identifier
            var free = wanted
            var number = 2
            while !used.insert(free).inserted {
                free = "\(wanted)_\(number)"
                number += 1
            }
            names[name] = free
        }
        self.names = names
    }

    subscript(name: String) -> String { names[name] ?? name }

    /// Dots and hyphens of record types become underscores; a share's dotted field names lose their prefix.
    private static func identifier(_ name: String) -> String {
        if name == RecordType.share { return "CloudKitShare" }
        let own = Naming.isShareField(name) ? name.split(separator: ".").last ?? "" : name[...]
        return String(decoding: own.utf8.map { Naming.isWord($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }

    /// The order of names in schema text.
    static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
