/// A statement that is batched with others of its kind until a later statement could observe the delay.
///
/// Instances are created once and reused for many rows; identity defines the kind.
package final class DeferredStatement: Sendable {
    /// The single-row SQL.
    package let sql: String
    /// The multi-row form; nil for single-row statements.
    package let many: Many?
    /// Statements of lower rank run first; referenced rows have the lowest rank.
    let rank: Int

    /// The multi-row form of a statement.
    package enum Many: Sendable {
        /// An INSERT, split around its rows.
        case insertion(head: String, columns: Int, tail: String)
        /// A statement that reads its rows from a table `given` with these columns.
        case given(columns: [String], statement: String)

        package var columnCount: Int {
            switch self {
            case .insertion(_, let columns, _): columns
            case .given(let columns, _): columns.count
            }
        }

        /// - Parameter source: SQL for the rows: VALUES or a SELECT.
        package func sql(_ source: String) -> String {
            switch self {
            case .insertion(let head, _, let tail): "\(head) \(source)" + (tail.isEmpty ? "" : " " + tail)
            case .given(let columns, let statement):
                "WITH given (\(columns.joined(separator: ", "))) AS (\(source)) \(statement)"
            }
        }
    }

    /// An INSERT of one or many rows.
    ///
    /// - Parameters:
    ///   - head: the statement up to VALUES.
    ///   - tail: an ON CONFLICT clause. A multi-row statement must then not contain duplicate keys.
    package init(insert head: String, columns: Int, replacing tail: String = "", rank: Int) {
        let insertion = Many.insertion(head: head, columns: columns, tail: tail)
        many = insertion
        sql = insertion.sql(Self.values(columns, rows: 1))
        self.rank = rank
    }

    /// A DELETE of rows with given values in these columns.
    package init(delete table: String, where columns: [String], rank: Int) {
        sql = "DELETE FROM \(table) WHERE " + columns.map { "\($0) = ?" }.joined(separator: " AND ")
        let names = columns.joined(separator: ", ")
        let key = columns.count == 1 ? names : "(\(names))"
        many = .given(
            columns: columns, statement: "DELETE FROM \(table) WHERE \(key) IN (SELECT \(names) FROM given)")
        self.rank = rank
    }

    /// An UPDATE of rows by key, with each key at most once per batch.
    ///
    /// - Parameters:
    ///   - fixed: assignments equal for all rows.
    ///   - columns: columns with given values, in this order; the key follows.
    package init(update table: String, setting fixed: String, columns: [String], key: String, rank: Int) {
        let one = columns.map { "\($0) = ?" }.joined(separator: ", ")
        let all = columns.map { "\($0) = given.\($0)" }.joined(separator: ", ")
        sql = "UPDATE \(table) SET \(fixed), \(one) WHERE \(key) = ?"
        many = .given(
            columns: columns + [key],
            statement: "UPDATE \(table) SET \(fixed), \(all) FROM given WHERE \(table).\(key) = given.\(key)")
        self.rank = rank
    }

    /// Any other statement.
    ///
    /// - Parameter many: the multi-row form; nil for a single-row statement.
    package init(_ sql: String, many: Many? = nil, rank: Int) {
        self.many = many
        self.sql = sql
        self.rank = rank
    }

    /// The SQL for `rows` rows, with parameters; nil for a single-row statement.
    func sql(rows: Int) -> String? { many.map { $0.sql(Self.values($0.columnCount, rows: rows)) } }

    private static func values(_ columns: Int, rows: Int) -> String {
        let row = "(" + String(repeating: "?, ", count: columns - 1) + "?)"
        return "VALUES " + String(repeating: row + ", ", count: rows - 1) + row
    }
}

/// The key of a deferred row: a name within a scope such as a zone, for asking whether the statement is still waiting.
///
/// Names compare bytewise.
package struct DeferredKey: Hashable, Sendable {
    private let scope: Int64
    private let name: String

    package init(_ scope: Int64, _ name: String) {
        self.scope = scope
        self.name = name
    }

    package static func == (one: DeferredKey, other: DeferredKey) -> Bool {
        one.scope == other.scope && one.name == other.name
            // Equal strings may differ in bytes.
            && one.name.utf8Span.span.bytes.withUnsafeBytes { one in
                other.name.utf8Span.span.bytes.withUnsafeBytes { one.elementsEqual($0) }
            }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(scope)
        var name = name
        name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
