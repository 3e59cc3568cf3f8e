/// A statement that is run together with others of its kind, before the next one that could tell the difference.
///
/// Made once and used for many rows: two instances are two kinds.
package final class DeferredStatement: Sendable {
    /// For one row.
    package let sql: String
    /// Takes the values of many rows at once; nil for what takes one row at a time.
    package let many: Many?
    /// Those of lower rank run first: what others refer to has the lowest.
    let rank: Int

    /// The form of a statement that takes many rows.
    package enum Many: Sendable {
        /// An INSERT: everything before its rows, and after them.
        case insertion(head: String, columns: Int, tail: String)
        /// A statement that finds the rows in a table `given` of these columns.
        case given(columns: [String], statement: String)

        package var columnCount: Int {
            switch self {
            case .insertion(_, let columns, _): columns
            case .given(let columns, _): columns.count
            }
        }

        /// - Parameter source: gives the rows: VALUES, or a SELECT.
        package func sql(_ source: String) -> String {
            switch self {
            case .insertion(let head, _, let tail): "\(head) \(source)" + (tail.isEmpty ? "" : " " + tail)
            case .given(let columns, let statement):
                "WITH given (\(columns.joined(separator: ", "))) AS (\(source)) \(statement)"
            }
        }
    }

    /// An INSERT, which may write many rows at once.
    ///
    /// - Parameters:
    ///   - head: the statement up to VALUES.
    ///   - tail: what is to happen where a row is there already. No two rows of one statement may be the same then.
    package init(insert head: String, columns: Int, replacing tail: String = "", rank: Int) {
        let insertion = Many.insertion(head: head, columns: columns, tail: tail)
        many = insertion
        sql = insertion.sql(Self.values(columns, rows: 1))
        self.rank = rank
    }

    /// A DELETE of the rows of a table that have given values in these columns.
    package init(delete table: String, where columns: [String], rank: Int) {
        sql = "DELETE FROM \(table) WHERE " + columns.map { "\($0) = ?" }.joined(separator: " AND ")
        let names = columns.joined(separator: ", ")
        let key = columns.count == 1 ? names : "(\(names))"
        many = .given(
            columns: columns, statement: "DELETE FROM \(table) WHERE \(key) IN (SELECT \(names) FROM given)")
        self.rank = rank
    }

    /// An UPDATE of the rows of a table that have given keys, each at most once in a transaction's step.
    ///
    /// - Parameters:
    ///   - fixed: what is set to the same in all rows.
    ///   - columns: those whose values are given, in this order; the key comes after them.
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
    /// - Parameter many: the same for many rows; nil for what takes one row at a time.
    package init(_ sql: String, many: Many? = nil, rank: Int) {
        self.many = many
        self.sql = sql
        self.rank = rank
    }

    /// The statement for so many rows, with parameters for each; nil when it takes one at a time.
    func sql(rows: Int) -> String? { many.map { $0.sql(Self.values($0.columnCount, rows: rows)) } }

    private static func values(_ columns: Int, rows: Int) -> String {
        let row = "(" + String(repeating: "?, ", count: columns - 1) + "?)"
        return "VALUES " + String(repeating: row + ", ", count: rows - 1) + row
    }
}

/// The key of what a deferred statement writes: a name within a scope such as a zone. Others ask by it whether the
/// statement waits.
///
/// Names are told apart by their bytes.
package struct DeferredKey: Hashable, Sendable {
    private let scope: Int64
    private let name: String

    package init(_ scope: Int64, _ name: String) {
        self.scope = scope
        self.name = name
    }

    package static func == (one: DeferredKey, other: DeferredKey) -> Bool {
        one.scope == other.scope && one.name == other.name
            // Equal texts may differ in their bytes.
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
