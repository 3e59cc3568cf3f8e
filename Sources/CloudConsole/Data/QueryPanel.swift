import CloudPages
import CloudModel

/// The query builder above a table: a GET form, which works without scripts and has a shareable address.
struct QueryPanel {
    let spot: DataSpot
    let type: String
    /// The type's definition; nil for a type without schema.
    let definition: TypeDefinition?
    let limits: Limits

    /// - Parameters:
    ///   - example: the query's request; nil if a value is malformed.
    ///   - plan: the query's plan and cost.
    func view(_ example: QueryExample?, plan: String?) -> View {
        View(
            hidden: spot.hidden + [FilledField(name: "type", value: type)], terms: terms,
            sorts: options([("", "when they were made")] + names, chosen: spot.query.sort ?? ""),
            orders: options(
                [("ascending", "ascending"), ("descending", "descending")], chosen: spot.query.order),
            isOpen: !spot.query.isEmpty, all: spot.query.isEmpty ? nil : spot.address(type: type), plan: plan,
            example: example.map { View.Example(json: $0.json, curl: $0.curl) })
    }

    /// A row for each condition, followed by an empty row if the limit permits another condition.
    private var terms: [View.Term] {
        let next = QueryTerm(field: "", comparator: Comparator.equals.rawValue, value: "")
        let terms = spot.query.terms + (spot.query.terms.count < limits.filtersPerQuery ? [next] : [])
        return terms.enumerated().map { index, term in
            View.Term(
                word: index == 0 ? "where" : "and", number: "\(index + 1)",
                fields: options([("", "any")] + names, chosen: term.field),
                comparators: options(
                    Comparator.allCases.map { ($0.rawValue, $0.rawValue) }, chosen: term.comparator),
                value: term.value)
        }
    }

    /// The fields' wire names with their labels.
    private var names: [(value: String, label: String)] {
        (definition?.fields.keys.sorted() ?? []).map { ($0, $0) } + [
            (SystemField.recordName.rawValue, "recordName"), (SystemField.createdTimestamp.rawValue, "created"),
            (SystemField.createdUserRecordName.rawValue, "created by"),
            (SystemField.modifiedTimestamp.rawValue, "modified"),
            (SystemField.modifiedUserRecordName.rawValue, "modified by"),
        ]
    }

    /// - Parameter chosen: an unlisted value is added as the first option.
    private func options(_ options: [(value: String, label: String)], chosen: String) -> [Choice] {
        let known = options.contains { $0.value == chosen } ? options : [(chosen, chosen)] + options
        return known.map { value, label in Choice(value: value, label: label, isChosen: value == chosen) }
    }
}

extension QueryPanel {
    struct View: PageView {
        let hidden: [FilledField]
        let terms: [Term]
        let sorts: [Choice]
        let orders: [Choice]
        /// Whether the builder is unfolded, because a query is set.
        let isOpen: Bool
        /// The address of the table without a query; nil if no query is set.
        let all: String?
        let plan: String?
        let example: Example?

        /// A condition.
        struct Term: PageView {
            let word: String
            let number: String
            let fields: [Choice]
            let comparators: [Choice]
            let value: String
        }

        struct Example: PageView {
            let json: String
            let curl: String
        }
    }
}
