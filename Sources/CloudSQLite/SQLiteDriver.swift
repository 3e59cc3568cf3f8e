import CloudSQL
import GRDB
import GRDBSQLite

/// Statements on a connection opened by GRDB.
///
/// The driver calls SQLite directly: GRDB's argument and row types cost more than the statements of a lookup or a
/// create, and GRDB restricts its statements to its queue.
final class SQLiteDriver: SQLDriver {
    private static let mostToOrder = 256

    private let connection: OpaquePointer?
    /// Statements with fixed text.
    private var known: [String: OpaquePointer] = [:]
    private var toOrder: [String: OpaquePointer] = [:]
    private(set) var preparedToOrder = 0
    private var recent = RecentStatements()
    private lazy var room = BindingRoom()
    /// The number of statements being stepped.
    private var running = 0

    init(_ db: Database) { connection = db.sqliteConnection }

    var isInsideTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }
    var sharing: (any SQLSharing)? { nil }
    var lastChanges: Int { Int(sqlite3_changes64(connection)) }
    var totalChanges: Int { Int(sqlite3_total_changes64(connection)) }
    var dialect: any SQLDialect { SQLiteDialect() }

    func dataVersion() throws -> Int64? {
        var version: Int64?
        try each("PRAGMA data_version", [], isMadeToOrder: false) {
            version = $0.integer(0)
            return false
        }
        return version
    }

    func script(_ sql: String) throws {
        let code = sqlite3_exec(connection, PlannerHints.revealed(sql), nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql) }
    }

    func each(_ sql: String, _ values: [SQLValue], isMadeToOrder: Bool, _ body: (SQLRow) throws -> Bool) throws {
        let statement = try statement(sql, isMadeToOrder)
        let mark = values.isEmpty ? 0 : bind(values, to: statement)
        running += 1
        defer {
            running -= 1
            sqlite3_reset(statement)
            if !values.isEmpty {
                sqlite3_clear_bindings(statement)
                room.giveBack(to: mark)
            }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: guard try body(SQLRow(SQLiteColumns(statement: statement))) else { return }
            case SQLITE_DONE: return
            case let code: throw error(code, sql)
            }
        }
    }

    /// - Returns: the binding buffer's mark, for releasing these values.
    private func bind(_ values: [SQLValue], to statement: OpaquePointer) -> Int {
        let (room, mark) = (room, room.used)
        var index: Int32 = 0
        for value in values {
            index += 1
            room.bind(value, to: index, of: statement)
        }
        return mark
    }

    private func error(_ code: Int32, _ sql: String) -> SQLError {
        let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "code \(code)"
        return SQLError(
            .init(code), SQLError.text(message, extendedCode: sqlite3_extended_errcode(connection)), sql: sql)
    }

    private func statement(_ sql: String, _ isMadeToOrder: Bool) throws -> OpaquePointer {
        if let statement = recent.find(sql) { return statement }
        let statement = try prepared(sql, isMadeToOrder)
        recent.note(sql, statement)
        return statement
    }

    private func prepared(_ sql: String, _ isMadeToOrder: Bool) throws -> OpaquePointer {
        if let statement = isMadeToOrder ? toOrder[sql] : known[sql] { return statement }
        let statement = try prepare(sql)
        if isMadeToOrder {
            // A running statement must not be finalized.
            if toOrder.count >= Self.mostToOrder, running == 0 {
                recent.removeAll()
                Self.finalize(&toOrder)
            }
            preparedToOrder += 1
            toOrder[sql] = statement
        } else {
            known[sql] = statement
        }
        return statement
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        let text = PlannerHints.revealed(sql)
        let code = sqlite3_prepare_v3(connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code, sql) }
        return statement
    }

    /// Called before the connection closes, because SQLite refuses to close with open statements.
    func forgetStatements() {
        recent.removeAll()
        Self.finalize(&known)
        Self.finalize(&toOrder)
    }

    private static func finalize(_ statements: inout [String: OpaquePointer]) {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements.removeAll()
    }
}

/// The current row of a statement.
private struct SQLiteColumns: SQLColumns {
    let statement: OpaquePointer

    func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }
    func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }
    func real(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }

    func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func blob(_ column: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, Int32(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    func value(_ column: Int) -> SQLValue {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }
}

extension SQLError {
    /// Converts a GRDB error.
    init(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            self.init(.other, "\(error)")
            return
        }
        let text = Self.text(
            error.message ?? "\(error.resultCode)", extendedCode: error.extendedResultCode.rawValue)
        self.init(Kind(error.resultCode.rawValue), text, sql: error.sql)
    }

    /// The message of a failed call of the file system tells the call by SQLite's extended code, as in "disk I/O error (522)".
    fileprivate static func text(_ message: String, extendedCode: Int32) -> String {
        extendedCode & 0xff == SQLITE_IOERR ? "\(message) (\(extendedCode))" : message
    }
}

extension SQLError.Kind {
    /// - Parameter code: a SQLite result code, primary or extended.
    init(_ code: Int32) {
        switch code & 0xff {
        case SQLITE_CONSTRAINT: self = .constraint
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
        case SQLITE_FULL: self = .full
        case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_READONLY: self = .unusable
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_INTERRUPT: self = .interrupted
        case SQLITE_ABORT: self = .aborted
        default: self = .other
        }
    }
}
