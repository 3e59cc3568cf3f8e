/// A syntax error in schema text, with its position.
package struct SchemaSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    /// In characters, from 1.
    package let column: Int
    package let reason: String

    package init(line: Int, column: Int, reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }

    package var description: String { "line \(line), column \(column): \(reason)" }
}
