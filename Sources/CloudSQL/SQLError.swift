/// A database error, independent of the engine.
package struct SQLError: Error, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// A constraint, such as a unique key, refuses a row.
        case constraint
        /// The database is corrupt.
        case damaged
        /// The disk is full.
        case full
        /// The file or server is unavailable.
        case unusable
        /// The server refuses writes for now, as a standby does.
        case readOnly
        /// Another connection keeps a required lock.
        case busy
        /// The connection was told to stop.
        case interrupted
        /// The statement's transaction has already ended.
        case aborted
        /// A table in the statement was dropped, for example by a schema change during the transaction.
        case gone
        /// A program fault, such as a syntax error.
        case other
    }

    package let kind: Kind
    /// The engine's message.
    package let message: String
    /// The SQL text, without bound values.
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
