import CloudModel
import CloudSQL

/// The place of a query subscription among those of its record type: under the value that one of its filters wants of
/// one field, or, without such a filter, with the others that any record may concern.
struct SubscriptionBucket: Hashable {
    /// The field's id; for a system field, minus one minus its place among the columns; 0 for none.
    let field: Int64
    let value: SQLValue

    /// Fields by which the subscriptions of one user to one record type are found; those with another stand under none.
    static let mostFieldsPerUser = 8

    static let none = SubscriptionBucket(field: 0, value: .null)

    /// - Parameter zoneWide: whether records of several zones are meant, in each of which a reference reads otherwise.
    init(_ query: ResolvedQuery, zoneWide: Bool) {
        for filter in query.filters where filter.comparator == .equals {
            if zoneWide && filter.subject.type.kind == .reference { continue }
            guard let key = filter.keys.first, let field = Self.field(filter.subject) else { continue }
            self.init(field: field, value: SQLValue(key))
            return
        }
        self = .none
    }

    private init(field: Int64, value: SQLValue) {
        self.field = field
        self.value = value
    }

    private static func field(_ subject: ResolvedQuery.Subject) -> Int64? {
        switch subject {
        case .field(let definition): definition.id
        case .system(let field):
            SchemaTables.systemColumns.firstIndex { $0.field == field }.map { -1 - Int64($0) }
        }
    }

    /// The column of the type's values table that holds the value of a field.
    static func column(of field: Int64) -> String {
        field > 0 ? "f\(field)" : SchemaTables.systemColumns[Int(-1 - field)].column
    }
}
