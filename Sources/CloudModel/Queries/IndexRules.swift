/// Checks queries against the schema's index marks and words the refusals (reference A §5.6).
///
/// A refusal begins with the original service's words, which clients match, and ends with the remedy.
struct IndexRules {
    let type: RecordType
    /// True to refuse queries on unmarked fields. Otherwise queries may use any field that could be marked.
    let isStrict: Bool

    /// A query without filters lists the type, which needs an index on `recordName`.
    func requireListing() throws(ServerError) {
        let name = ResolvedQuery.Subject.system(.recordName)
        guard isStrict, !type.marks(of: name).contains(.queryable) else { return }
        throw refusal("recordName", "queryable", remedy(name, ["QUERYABLE"]) + ", or send a filter")
    }

    func require(_ comparator: Comparator, _ subject: ResolvedQuery.Subject) throws(ServerError) {
        if isStrict && type.marks(of: subject).isDisjoint(with: comparator.indexes) {
            throw missing(comparator, subject)
        }
    }

    func requireSorting(_ subject: ResolvedQuery.Subject) throws(ServerError) {
        guard isStrict, !type.marks(of: subject).contains(.sortable) else { return }
        throw refusal(subject.schemaName, "sortable", remedy(subject, ["SORTABLE"]))
    }

    func missing(_ comparator: Comparator, _ subject: ResolvedQuery.Subject) -> ServerError {
        refusal(
            subject.name, comparator.isTextSearch ? "searchable" : "queryable",
            remedy(subject, comparator.indexes.map(\.rawValue).sorted()))
    }

    func nothingSearchable() -> ServerError {
        .badRequest(
            "No field of '\(known: type.name)' is marked searchable; add SEARCHABLE to one of them in the schema",
            .index(.unmarked(type: type.name, field: nil, mark: "searchable")))
    }

    private func refusal(_ name: String, _ mark: String, _ remedy: String) -> ServerError {
        .badRequest(
            "Field '\(name)' is not marked \(known: mark); \(known: remedy)",
            .index(.unmarked(type: type.name, field: name, mark: mark)))
    }

    private func remedy(_ subject: ResolvedQuery.Subject, _ marks: [String]) -> String {
        if case .system(let field) = subject, ImplicitField(field) == nil {
            return "the schema cannot mark it, so it is asked for only where indexes are not strict"
        }
        return "add \(marks.joined(separator: " or ")) to \(subject.schemaName) of '\(type.name)' in the schema"
    }
}

extension ResolvedQuery.Subject {
    /// The name used in refusals of values and filters.
    package var name: String {
        switch self {
        case .field(let field): field.name
        case .system(let field): field.errorName
        }
    }

    /// The name in the schema.
    var schemaName: String {
        switch self {
        case .field(let field): field.name
        case .system(let field): field.rawValue
        }
    }
}
