/// The beginning of long values, which is all that an engine's indexes have of them.
///
/// Statements compare it first, which the index finds, and then the whole value.
package struct IndexPrefix: Hashable, Sendable {
    private let bytes: Int

    package init(bytes: Int) { self.bytes = bytes }

    /// The beginning of a column's value, as the index has it.
    package func of(_ column: String) -> String { "substr(\(column), 1, \(bytes))" }

    /// The same of a value that is bound.
    package func of(_ value: SQLValue) -> SQLValue {
        switch value {
        case .text(let text): .blob(Array(text.utf8.prefix(bytes)))
        case .blob(let blob): .blob(Array(blob.prefix(bytes)))
        case .null, .integer, .real: value
        }
    }
}
