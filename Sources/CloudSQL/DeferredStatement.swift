/// A statement that is run together with others of its kind, before the next one that could tell the difference.
///
/// Made once and used for many rows: two instances are two kinds.
package final class DeferredStatement: Sendable {
    /// For one row.
    package let sql: String
    /// Everything before VALUES, and how many columns a row has; nil for what takes one row at a time.
    package let insertion: (head: String, columns: Int, tail: String)?
    /// Those of lower rank run first: what others refer to has the lowest.
    let rank: Int

    /// An INSERT, which may write many rows at once.
    ///
    /// - Parameters:
    ///   - head: the statement up to VALUES.
    ///   - tail: what is to happen where a row is there already. No two rows of one statement may be the same then.
    package init(insert head: String, columns: Int, replacing tail: String = "", rank: Int) {
        insertion = (head, columns, tail)
        sql = Self.sql(head, columns, tail, rows: 1)
        self.rank = rank
    }

    /// Any other statement.
    package init(_ sql: String, rank: Int) {
        insertion = nil
        self.sql = sql
        self.rank = rank
    }

    /// The statement for so many rows; nil when it takes one at a time.
    func sql(rows: Int) -> String? { insertion.map { Self.sql($0.head, $0.columns, $0.tail, rows: rows) } }

    private static func sql(_ head: String, _ columns: Int, _ tail: String, rows: Int) -> String {
        let row = "(" + String(repeating: "?, ", count: columns - 1) + "?)"
        return "\(head) VALUES " + String(repeating: row + ", ", count: rows - 1) + row
            + (tail.isEmpty ? "" : " " + tail)
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
