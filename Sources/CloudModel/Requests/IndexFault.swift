/// The index that a query lacks.
package enum IndexFault: Hashable, Sendable {
    /// The field lacks the index mark; nil if every field lacks it.
    case unmarked(type: String, field: String?, mark: String)
    case building(type: String, field: String, percent: Int)
    /// The read exceeded its limits.
    case tooMuch

    package var text: String {
        switch self {
        case .unmarked(let type, let field, let mark):
            field.map { "'\($0)' of '\(type)' is not marked \(mark)" } ?? "no field of '\(type)' is marked \(mark)"
        case .building(let type, let field, let percent): "the index of '\(field)' of '\(type)' is \(percent) % built"
        case .tooMuch: "no index leads to what the query asks for, and it looks at too much"
        }
    }
}
