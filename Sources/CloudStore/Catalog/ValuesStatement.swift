import CloudModel
import CloudSQL

/// The statements that write a row of a type's values tables or take it away, and the fields whose values they want, in
/// order.
struct ValuesStatement {
    /// For the table that is asked, and for the one that is being filled.
    let statements: [DeferredStatement]
    /// For the same tables; each wants a zone and a record's id.
    let removals: [DeferredStatement]
    let fields: [Int64]
    private let type: RecordType
    private let columns: String

    init(_ type: RecordType) {
        self.type = type
        fields = type.fields.values.filter { SchemaTables.hasColumn($0.type) }.map(\.id).sorted()
        let columns =
            "zone, id, name, created, created_by, modified, modified_by, parent, share"
            + fields.map { ", f\($0)" }.joined()
        self.columns = columns
        let count = fields.count
        statements = SchemaTables.tables(type).map { Self.statement($0, columns, fields: count) }
        removals = SchemaTables.tables(type).map {
            DeferredStatement(delete: $0, where: ["zone", "id"], rank: WriteRank.removal)
        }
    }

    func statement(into generation: Int64) -> DeferredStatement {
        Self.statement(SchemaTables.table(type, generation: generation), columns, fields: fields.count)
    }

    /// Copies rows of the table that is asked, from beyond a place to another. Those that were written meanwhile are there.
    func copy(into generation: Int64) -> String {
        """
        INSERT INTO \(SchemaTables.table(type, generation: generation)) (\(columns))
        SELECT \(columns) FROM \(SchemaTables.table(type)) v NOT INDEXED
        WHERE (zone, id) > (?, ?) AND (zone, id) <= (?, ?) ON CONFLICT (zone, id) DO NOTHING
        """
    }

    private static func statement(_ table: String, _ columns: String, fields count: Int) -> DeferredStatement {
        let settings = columns.split(separator: ", ").dropFirst(2).map { "\($0) = excluded.\($0)" }
            .joined(separator: ", ")
        return DeferredStatement(
            insert: "INSERT INTO \(table) (\(columns))", columns: 9 + count,
            replacing: "ON CONFLICT (zone, id) DO UPDATE SET \(settings)", rank: WriteRank.beside)
    }
}
