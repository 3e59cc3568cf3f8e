import CloudEngine
import CloudModel
import CloudSQL

/// Statements that write or delete a row in a type's values tables, and the fields that fill their columns, in order.
package struct ValuesStatement {
    /// Statements for the current table, and for the table being built.
    let statements: [DeferredStatement]
    /// Delete statements for the same tables; each binds a zone and a record id.
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

    /// SQL that copies current rows in a key range to the next generation; rows written meanwhile are kept.
    func copy(into generation: Int64) -> String {
        """
        INSERT INTO \(SchemaTables.table(type, generation: generation)) (\(columns))
        SELECT \(columns) FROM \(SchemaTables.table(type)) v /*!NOT INDEXED*/
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
