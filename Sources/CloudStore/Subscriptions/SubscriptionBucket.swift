import CloudModel
import CloudSQL

/// The index key of a query subscription within its record type: the operand of one EQUALS filter on one field, or none for a
/// query without such a filter, which every change of the type has to check.
struct SubscriptionBucket: Hashable {
    /// The field's id; for a system field, minus one minus its column's index; 0 for none.
    let field: Int64
    let value: SQLValue

    /// The most bucket fields per user and record type; a subscription with a further field has none.
    static let mostFieldsPerUser = 8

    static let none = SubscriptionBucket(field: 0, value: .null)

    /// - Parameter zoneWide: true for a subscription to all zones, whose references differ from zone to zone.
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

    /// The column of the type's values table for a field.
    static func column(of field: Int64) -> String {
        field > 0 ? "f\(field)" : SchemaTables.systemColumns[Int(-1 - field)].column
    }
}
