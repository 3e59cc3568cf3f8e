extension TextTable {
    /// The faults of this table beside the English one: unknown and missing keys, wrong placeholders, plural categories
    /// that the language does not have. Each names the file and the key.
    ///
    /// - Parameter isWhole: false for a table that replaces some texts only.
    package func problems(beside english: TextTable, isWhole: Bool = true) -> [String] {
        guard let rule = PluralRule(tag) else {
            return ["\(tag).json: no plural rule of the language '\(tag)' is known"]
        }
        var problems: [String] = []
        if isWhole, name?.isEmpty ?? true {
            problems.append("\(tag).json: '@name', the language's own name, is missing")
        }
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let original = english.entries[key] else {
                problems.append("\(tag).json: '\(key)' is no key of en.json")
                continue
            }
            if let fault = Self.fault(of: entry, original, rule) { problems.append("\(tag).json: '\(key)' \(fault)") }
        }
        if isWhole {
            for key in english.entries.keys.sorted() where entries[key] == nil {
                problems.append("\(tag).json: '\(key)' is missing")
            }
        }
        return problems
    }

    private static func fault(of entry: Entry, _ original: Entry, _ rule: PluralRule) -> String? {
        guard let wanted = original.texts.compactMap(placeholders).max(by: { $0.count < $1.count }) else { return nil }
        for text in entry.texts {
            if text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F }) {
                return "contains a control character"
            }
            if text.isEmpty { return "is empty" }
            if placeholders(text) == nil { return "has a brace that belongs to no placeholder" }
        }
        switch (entry, original) {
        case (.plain(let text), .plain): return fault(of: text, wanted, "")
        case (.plural(let forms), .plural): return fault(of: forms, wanted, rule)
        case (.plain, .plural): return "must be an object of plural forms"
        case (.plural, .plain): return "must be a text without plural forms"
        }
    }

    private static func fault(
        of forms: [PluralCategory: String], _ wanted: Set<Substring>, _ rule: PluralRule
    ) -> String? {
        for category in PluralCategory.allCases {
            guard let text = forms[category] else {
                if rule.categories.contains(category) { return "lacks the plural form '\(category.rawValue)'" }
                continue
            }
            // Fractions may have a form of their own.
            guard rule.categories.contains(category) || category == .other else {
                return "has the plural form '\(category.rawValue)', which the language does not have"
            }
            let isOfOne = rule.ofOneNumber.contains(category)
            let (with, without) = (wanted.union(["count"]), wanted.subtracting(["count"]))
            let names = placeholders(text) ?? []
            if names == with || isOfOne && names == without { continue }
            return fault(of: text, with, " in the form '\(category.rawValue)'")
        }
        return nil
    }

    private static func fault(of text: String, _ wanted: Set<Substring>, _ place: String) -> String? {
        let names = placeholders(text) ?? []
        if let name = wanted.subtracting(names).sorted().first { return "lacks the placeholder {\(name)}\(place)" }
        if let name = names.subtracting(wanted).sorted().first {
            return "has the unknown placeholder {\(name)}\(place)"
        }
        return nil
    }
}
