/// The parts of a template, as far as they name something.
indirect enum TemplatePart {
    case value(String)
    case section(String, [TemplatePart])
    case inverted(String, [TemplatePart])
    case partial(String)
    /// Another template with some of its blocks filled.
    case parent(String, blocks: [String: [TemplatePart]])
    case block(String, [TemplatePart])

    static func parse(_ text: String) -> [TemplatePart] {
        var tags = text.matches(of: #/\{\{([#^/>$<]?)\s*([^}]+?)\s*\}\}/#).map {
            (kind: String($0.output.1), name: String($0.output.2))
        }[...]
        return parts(&tags)
    }

    private static func parts(_ tags: inout ArraySlice<(kind: String, name: String)>) -> [TemplatePart] {
        var parts: [TemplatePart] = []
        while let tag = tags.popFirst(), tag.kind != "/" {
            switch tag.kind {
            case "#": parts.append(.section(tag.name, Self.parts(&tags)))
            case "^": parts.append(.inverted(tag.name, Self.parts(&tags)))
            case "$": parts.append(.block(tag.name, Self.parts(&tags)))
            case ">": parts.append(.partial(tag.name))
            case "<": parts.append(.parent(tag.name, blocks: blocks(Self.parts(&tags))))
            default: parts.append(.value(tag.name))
            }
        }
        return parts
    }

    private static func blocks(_ parts: [TemplatePart]) -> [String: [TemplatePart]] {
        var blocks: [String: [TemplatePart]] = [:]
        for case .block(let name, let parts) in parts { blocks[name] = parts }
        return blocks
    }
}
