/// An error of a database about a statement, in words that do not depend on the engine.
package struct SQLError: Error, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// A rule of the tables, such as a unique key, refuses a row.
        case constraint
        /// The content of the database is not as it was written.
        case damaged
        /// There is no room left.
        case full
        /// The file or server cannot be read or written.
        case unusable
        /// The server takes no writes for now, as a standby.
        case readOnly
        /// Another connection holds what this one needs, and went on holding it.
        case busy
        /// The connection was told to stop.
        case interrupted
        /// The transaction has ended under the statement.
        case aborted
        /// A table that the statement names has gone, as when a schema change dropped it after the transaction began.
        case gone
        /// A mistake in the statement.
        case other
    }

    package let kind: Kind
    /// The engine's own words.
    package let message: String
    /// The statement, without its values.
    package let sql: String?

    package init(_ kind: Kind, _ message: String, sql: String? = nil) {
        self.kind = kind
        self.message = message
        self.sql = sql
    }

    package var description: String {
        "database error (\(kind.rawValue)): \(message)" + (sql.map { " - while executing `\($0)`" } ?? "")
    }
}
