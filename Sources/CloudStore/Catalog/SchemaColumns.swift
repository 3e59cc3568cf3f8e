import CloudModel

/// The compact text in which marks and grants are stored: `QUERYABLE SORTABLE`, `_world=READ;_icloud=CREATE,READ`.
enum SchemaColumns {
    static func text(_ marks: Set<IndexKind>) -> String {
        marks.map(\.rawValue).sorted().joined(separator: " ")
    }

    static func marks(_ text: String) -> Set<IndexKind> {
        Set(text.split(separator: " ").compactMap { IndexKind(rawValue: String($0)) })
    }

    static func text(_ grants: Grants) -> String {
        grants.permissions.sorted { $0.key < $1.key }
            .map { "\($0.key)=" + $0.value.map(\.rawValue).sorted().joined(separator: ",") }
            .joined(separator: ";")
    }

    static func grants(_ text: String) -> Grants {
        Grants(
            Dictionary(
                uniqueKeysWithValues: pairs(text).map { role, permissions in
                    (role, Set(permissions.split(separator: ",").compactMap { Permission(rawValue: String($0)) }))
                }))
    }

    static func text(_ implicit: [ImplicitField: Set<IndexKind>]) -> String {
        implicit.filter { !$0.value.isEmpty }.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.key.rawValue)=\(text($0.value))" }.joined(separator: ";")
    }

    static func implicit(_ text: String) -> [ImplicitField: Set<IndexKind>] {
        var result: [ImplicitField: Set<IndexKind>] = [:]
        for (name, marks) in pairs(text) {
            if let field = ImplicitField(rawValue: name) { result[field] = self.marks(marks) }
        }
        return result
    }

    static func text(_ unbuilt: [String: Set<IndexKind>]) -> String {
        unbuilt.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }.joined(separator: ";")
    }

    static func unbuilt(_ text: String) -> [String: Set<IndexKind>] {
        Dictionary(uniqueKeysWithValues: pairs(text).map { ($0, marks($1)) })
    }

    private static func pairs(_ text: String) -> [(String, String)] {
        text.split(separator: ";").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }
}
