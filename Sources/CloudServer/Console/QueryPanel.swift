import CloudModel
import Hummingbird

/// The query builder above a table: a GET form, so that it works without scripts and has an address.
struct QueryPanel {
    let spot: DataSpot
    let type: String
    /// As the schema has it; nil for a type that it does not know.
    let definition: TypeDefinition?
    let limits: Limits

    /// - Parameters:
    ///   - example: of the query; nil when its values are not of their types.
    ///   - plan: what was read for it.
    func content(_ example: QueryExample?, plan: String?) -> PageContent {
        var content: [String: Any] = [
            "hidden": spot.hidden + [PageContent.field("type", type)], "terms": terms,
            "sorts": options([("", "when they were made")] + names, chosen: spot.query.sort ?? ""),
            "orders": options(
                [("ascending", "ascending"), ("descending", "descending")], chosen: spot.query.order),
        ]
        if !spot.query.isEmpty { content["all"] = spot.address(type: type) }
        content["example"] = example.map { PageContent(["json": $0.json, "curl": $0.curl]) }
        content["plan"] = plan
        return PageContent(content)
    }

    /// One row for each condition, and an empty one for the next.
    private var terms: [PageContent] {
        let next = QueryTerm(field: "", comparator: Comparator.equals.rawValue, value: "")
        let terms = spot.query.terms + (spot.query.terms.count < limits.filtersPerQuery ? [next] : [])
        return terms.enumerated().map { index, term in
            PageContent([
                "number": "\(index + 1)", "word": index == 0 ? "where" : "and", "value": term.value,
                "fields": options([("", "any")] + names, chosen: term.field),
                "comparators": options(
                    Comparator.allCases.map { ($0.rawValue, $0.rawValue) }, chosen: term.comparator),
            ])
        }
    }

    /// The fields by their names on the wire, with those that people read.
    private var names: [(value: String, label: String)] {
        (definition?.fields.keys.sorted() ?? []).map { ($0, $0) } + [
            (SystemField.recordName.rawValue, "recordName"), (SystemField.createdTimestamp.rawValue, "created"),
            (SystemField.createdUserRecordName.rawValue, "created by"),
            (SystemField.modifiedTimestamp.rawValue, "modified"),
            (SystemField.modifiedUserRecordName.rawValue, "modified by"),
        ]
    }

    /// - Parameter chosen: stands first among the options where it is none of them.
    private func options(_ options: [(value: String, label: String)], chosen: String) -> [PageContent] {
        let known = options.contains { $0.value == chosen } ? options : [(chosen, chosen)] + options
        return known.map { value, label in
            var content: [String: Any] = ["value": value, "label": label]
            if value == chosen { content["isChosen"] = true }
            return PageContent(content)
        }
    }
}
