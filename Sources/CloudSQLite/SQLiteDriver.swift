import CloudSQL
import GRDB
import GRDBSQLite

/// Statements on one connection of GRDB's.
///
/// It steps them itself: binding through GRDB's argument and row types costs more than the statements of a lookup or a
/// create.
final class SQLiteDriver: SQLDriver {
    private static let mostToOrder = 256

    private unowned let db: Database
    /// Those written in the source, of which there are so many. GRDB's own cache has them too, and asks with each whether
    /// this is its queue.
    private var known: [String: Statement] = [:]
    private var toOrder: [String: Statement] = [:]
    private(set) var preparedToOrder = 0

    init(_ db: Database) { self.db = db }

    var isInsideTransaction: Bool { db.isInsideTransaction }
    var writers: WritingGroups? { nil }
    var lastChanges: Int { Int(sqlite3_changes64(db.sqliteConnection)) }
    var totalChanges: Int { Int(sqlite3_total_changes64(db.sqliteConnection)) }
    var dialect: any SQLDialect { SQLiteDialect() }

    func script(_ sql: String) throws {
        do { try db.execute(sql: sql) } catch { throw SQLError(error) }
    }

    func hasTable(_ name: String) throws -> Bool {
        do { return try db.tableExists(name) } catch { throw SQLError(error) }
    }

    func each(_ sql: String, _ values: [SQLValue], isMadeToOrder: Bool, _ body: (SQLRow) throws -> Bool) throws {
        let statement = try statement(sql, isMadeToOrder).sqliteStatement
        defer {
            sqlite3_reset(statement)
            if !values.isEmpty { sqlite3_clear_bindings(statement) }
        }
        var index: Int32 = 0
        for value in values {
            index += 1
            Self.bind(value, to: index, of: statement)
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: guard try body(SQLRow(SQLiteColumns(statement: statement))) else { return }
            case SQLITE_DONE: return
            case let code: throw SQLError(.init(code), db.lastErrorMessage ?? "code \(code)", sql: sql)
            }
        }
    }

    private func statement(_ sql: String, _ isMadeToOrder: Bool) throws -> Statement {
        do {
            if let statement = isMadeToOrder ? toOrder[sql] : known[sql] { return statement }
            guard isMadeToOrder else {
                let statement = try db.cachedStatement(sql: sql)
                known[sql] = statement
                return statement
            }
            if toOrder.count == Self.mostToOrder { toOrder.removeAll() }
            let statement = try db.makeStatement(sql: sql)
            preparedToOrder += 1
            toOrder[sql] = statement
            return statement
        } catch { throw SQLError(error) }
    }

    /// To be called before the connection closes, which it will not with statements left.
    func forgetStatements() {
        known.removeAll()
        toOrder.removeAll()
    }

    private static func bind(_ value: SQLValue, to index: Int32, of statement: OpaquePointer) {
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

/// The row that a statement stands at.
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
    /// Converts an error of GRDB.
    init(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            self.init(.other, "\(error)")
            return
        }
        self.init(Kind(error.resultCode.rawValue), error.message ?? "\(error.resultCode)", sql: error.sql)
    }
}

extension SQLError.Kind {
    /// - Parameter code: of SQLite, extended or not.
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
