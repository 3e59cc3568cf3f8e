import Foundation

/// A value of a YAML document.
indirect enum DocumentNode: Hashable, Sendable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    /// A node that is defined elsewhere in the document with this anchor.
    case alias(String)
    case list([DocumentNode])
    case object([Member])

    struct Member: Hashable, Sendable {
        let key: String
        let value: DocumentNode
    }

    static func members(_ members: KeyValuePairs<String, DocumentNode?>) -> DocumentNode {
        .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }

    static func texts(_ texts: [String]) -> DocumentNode { .list(texts.map(DocumentNode.text)) }

    static func reference(_ path: String) -> DocumentNode { .members(["$ref": .text("#/components/\(path)")]) }

    /// The object with a further member at its end.
    func with(_ key: String, _ value: DocumentNode?) -> DocumentNode {
        guard case .object(let members) = self, let value else { return self }
        return .object(members + [Member(key: key, value: value)])
    }

    // MARK: YAML

    private static let widest = 120

    /// The members of an object as lines; those that fit a line are in flow style.
    func lines(indent: Int) -> [String] {
        let space = String(repeating: " ", count: indent)
        switch self {
        case .object(let members):
            return members.flatMap { member -> [String] in
                let line = "\(space)\(Self.scalar(member.key)): \(member.value.flow)"
                if line.count <= Self.widest || !member.value.isNested { return [line] }
                return ["\(space)\(Self.scalar(member.key)):"] + member.value.lines(indent: indent + 2)
            }
        case .list(let elements):
            return elements.flatMap { element -> [String] in
                let line = "\(space)- \(element.flow)"
                if line.count <= Self.widest || !element.isNested { return [line] }
                var lines = element.lines(indent: indent + 2)
                lines[0] = "\(space)- " + lines[0].dropFirst(indent + 2)
                return lines
            }
        default: return [space + flow]
        }
    }

    private var isNested: Bool {
        switch self {
        case .object(let members): !members.isEmpty
        case .list(let elements): !elements.isEmpty
        default: false
        }
    }

    private var flow: String {
        switch self {
        case .text(let text): Self.scalar(text)
        case .number(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .alias(let name): "*\(name)"
        case .list(let elements): "[\(elements.map(\.flow).joined(separator: ", "))]"
        case .object(let members):
            members.isEmpty
                ? "{}" : "{ \(members.map { "\(Self.scalar($0.key)): \($0.value.flow)" }.joined(separator: ", ")) }"
        }
    }

    private static let reserved: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

    /// A plain scalar where YAML reads it as text, else a quoted scalar.
    private static func scalar(_ text: String) -> String {
        let isPlain = text.wholeMatch(of: /[$\/A-Za-z][A-Za-z0-9_.\/{}-]*/) != nil
        let isPath = text.contains { "{}".contains($0) } && !text.hasPrefix("/")
        if isPlain, !isPath, !reserved.contains(text.lowercased()) { return text }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "\"\(escaped)\""
    }
}
