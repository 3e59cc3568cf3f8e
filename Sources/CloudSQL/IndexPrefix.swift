/// The prefix of long values that an engine's indexes store.
///
/// Statements compare the prefix first, which uses the index, then the whole value.
package struct IndexPrefix: Hashable, Sendable {
    private let bytes: Int

    package init(bytes: Int) { self.bytes = bytes }

    /// SQL for the prefix of a column's value.
    package func of(_ column: String) -> String { "substr(\(column), 1, \(bytes))" }

    /// The prefix of a bound value.
    package func of(_ value: SQLValue) -> SQLValue {
        switch value {
        case .text(let text): .blob(Array(text.utf8.prefix(bytes)))
        case .blob(let blob): .blob(Array(blob.prefix(bytes)))
        case .null, .integer, .real: value
        }
    }
}
