/// A text of a page rule, in one language or several.
package struct PageText: Hashable, Sendable {
    private static let mostLanguages = 40

    private let templates: [PageTemplate]
    /// The language tags of the templates, in the rule's order; empty for one text for all.
    private let tags: [String]
    private let lookup: LanguageLookup

    /// - Parameter path: the member that holds the text, for the error.
    /// - Throws: `BAD_REQUEST` for a value that is neither text nor texts by language, and for a faulty template.
    init(_ value: JSONValue, path: String) throws(ServerError) {
        let members: [(tag: String?, value: JSONValue)]
        switch value {
        case .object(let object): members = object.members.map { ($0.key, $0.value) }
        default: members = [(nil, value)]
        }
        tags = members.compactMap(\.tag)
        lookup = LanguageLookup(tags)
        try Self.check(tags, isObject: value.object != nil, path: path)
        var templates: [PageTemplate] = []
        for (tag, value) in members {
            let path = tag.map { "\(path).\($0)" } ?? path
            guard let text = value.string else {
                let also = tag == nil ? ", or an object of languages such as {\"en\": \"…\"}" : ""
                throw .badRequest("\(known: path): must be a string\(known: also), not \(known: value.kind)")
            }
            templates.append(try PageTemplate(text, path: path))
        }
        self.templates = templates
    }

    private static func check(_ tags: [String], isObject: Bool, path: String) throws(ServerError) {
        guard !isObject || (1...mostLanguages).contains(tags.count) else {
            throw .badRequest(
                "\(known: path): has \(tags.count) languages, 1 to \(mostLanguages) are allowed", .limit(mostLanguages))
        }
        var seen: Set<String> = []
        for tag in tags {
            guard LanguageLookup.isTag(tag) else {
                throw .badRequest(
                    "\(known: path): '\(Naming.shown(tag))' is no language tag; one such as 'de' or 'pt-BR' "
                        + "has at most \(LanguageLookup.longest) letters, digits and hyphens")
            }
            guard seen.insert(tag.lowercased()).inserted else {
                throw .badRequest("\(known: path): the language '\(tag)' is there twice")
            }
        }
    }

    /// The template for visitors of a language: found as the languages of pages are, else that in English, else the first.
    ///
    /// - Parameter language: a language tag.
    package func template(_ language: String) -> PageTemplate {
        templates[lookup.find(language) ?? lookup.find("en") ?? 0]
    }

    /// The text in its input form.
    var json: JSONValue {
        guard !tags.isEmpty else { return .string(templates[0].source) }
        return .object(
            JSONObject(zip(tags, templates).map { JSONObject.Member(key: $0, value: .string($1.source)) }))
    }
}
