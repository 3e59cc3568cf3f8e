/// A statement that is run together with others of its kind, before the next one that could tell the difference.
///
/// Made once and used for many rows: two instances are two kinds.
package final class DeferredStatement: Sendable {
    /// For one row.
    package let sql: String
    /// Everything before VALUES, and how many columns a row has; nil for what takes one row at a time.
    private let insertion: (head: String, columns: Int)?
    /// Those of lower rank run first: what others refer to has the lowest.
    let rank: Int

    /// An INSERT, which may write many rows at once.
    ///
    /// - Parameter head: the statement up to VALUES.
    package init(insert head: String, columns: Int, rank: Int) {
        insertion = (head, columns)
        sql = Self.sql(head, columns, rows: 1)
        self.rank = rank
    }

    /// Any other statement.
    package init(_ sql: String, rank: Int) {
        insertion = nil
        self.sql = sql
        self.rank = rank
    }

    /// The statement for so many rows; nil when it takes one at a time.
    func sql(rows: Int) -> String? { insertion.map { Self.sql($0.head, $0.columns, rows: rows) } }

    private static func sql(_ head: String, _ columns: Int, rows: Int) -> String {
        let row = "(" + String(repeating: "?, ", count: columns - 1) + "?)"
        return "\(head) VALUES " + String(repeating: row + ", ", count: rows - 1) + row
    }
}

/// What a deferred statement writes, by which others ask whether it waits: a name within a scope such as a zone.
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
        one.scope == other.scope && one.name.utf8.elementsEqual(other.name.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(scope)
        var name = name
        name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
