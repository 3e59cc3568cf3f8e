import GRDB
import GRDBSQLite

/// A value bound to a statement.
enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    static func text(optional text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
}

/// One row, valid until the next is asked for.
struct SQLRow {
    fileprivate let statement: OpaquePointer

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func value(_ column: Int32) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }
}

/// Prepared statements of one connection whose text depends on the request: a bounded number of them.
///
/// GRDB's own cache keeps every statement there ever was, which is right for those written in the source only.
final class StatementCache {
    private static let mostKept = 256
    private var statements: [String: Statement] = [:]

    func statement(_ sql: String, _ db: Database) throws -> Statement {
        if let known = statements[sql] { return known }
        if statements.count == Self.mostKept { statements.removeAll() }
        let statement = try db.makeStatement(sql: sql)
        statements[sql] = statement
        return statement
    }

    /// To be called before the connection closes, which it will not with statements left.
    func removeAll() { statements.removeAll() }
}

// The hot path steps GRDB's cached statements itself: binding through GRDB's argument
// and row types costs more than the statements of a lookup or a create.
extension Database {
    /// Runs a statement that answers nothing.
    func run(_ sql: String, _ values: SQLValue...) throws { try run(sql, values) }

    func run(_ sql: String, _ values: [SQLValue]) throws {
        try each(sql, values) { _ in false }
    }

    /// Calls `body` for each row until it answers false.
    ///
    /// - Parameter cache: for statements made to order, of which there may be any number.
    func each(
        _ sql: String, _ values: [SQLValue], cache: StatementCache? = nil, _ body: (SQLRow) throws -> Bool
    ) throws {
        let statement = try cache?.statement(sql, self).sqliteStatement ?? cachedStatement(sql: sql).sqliteStatement
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { bind(value, to: Int32(index + 1), of: statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: guard try body(SQLRow(statement: statement)) else { return }
            case SQLITE_DONE: return
            case let code:
                throw DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage, sql: sql)
            }
        }
    }

    /// The first row's answer, or nil when there is none.
    func first<T>(_ sql: String, _ values: SQLValue..., read: (SQLRow) throws -> T) throws -> T? {
        var result: T?
        try each(sql, values) {
            result = try read($0)
            return false
        }
        return result
    }

    private func bind(_ value: SQLValue, to index: Int32, of statement: OpaquePointer) {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
        case .real(let real): sqlite3_bind_double(statement, index, real)
        case .text(var text):
            _ = text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) {
                    // An empty string has no address to bind, and NULL is not it.
                    sqlite3_bind_text64(
                        statement, index, $0.baseAddress ?? emptyText, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            _ = bytes.withUnsafeBytes {
                $0.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), transient)
            }
        }
    }
}

// SQLITE_TRANSIENT, a cast the importer cannot make: SQLite copies the bytes before it returns.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
// Never written to, so shared safely.
nonisolated(unsafe) private let emptyText = UnsafePointer<CChar>(UnsafeMutablePointer<CChar>.allocate(capacity: 1))
