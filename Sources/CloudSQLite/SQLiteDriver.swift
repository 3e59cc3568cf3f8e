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
    private var recent = RecentStatements()
    private lazy var room = BindingRoom()
    /// Statements whose rows are being given.
    private var running = 0

    init(_ db: Database) { self.db = db }

    var isInsideTransaction: Bool { db.isInsideTransaction }
    var writers: WritingGroups? { nil }
    var lastChanges: Int { Int(sqlite3_changes64(db.sqliteConnection)) }
    var totalChanges: Int { Int(sqlite3_total_changes64(db.sqliteConnection)) }
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
        do { try db.execute(sql: sql) } catch { throw SQLError(error) }
    }

    func hasTable(_ name: String) throws -> Bool {
        do { return try db.tableExists(name) } catch { throw SQLError(error) }
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
            case let code: throw SQLError(.init(code), db.lastErrorMessage ?? "code \(code)", sql: sql)
            }
        }
    }

    /// - Returns: the mark that the room is to be given back to.
    private func bind(_ values: [SQLValue], to statement: OpaquePointer) -> Int {
        let (room, mark) = (room, room.used)
        var index: Int32 = 0
        for value in values {
            index += 1
            room.bind(value, to: index, of: statement)
        }
        return mark
    }

    private func statement(_ sql: String, _ isMadeToOrder: Bool) throws -> OpaquePointer {
        if let statement = recent.find(sql) { return statement }
        let statement = try prepared(sql, isMadeToOrder).sqliteStatement
        recent.note(sql, statement)
        return statement
    }

    private func prepared(_ sql: String, _ isMadeToOrder: Bool) throws -> Statement {
        do {
            if let statement = isMadeToOrder ? toOrder[sql] : known[sql] { return statement }
            guard isMadeToOrder else {
                let statement = try db.cachedStatement(sql: sql)
                known[sql] = statement
                return statement
            }
            // One whose rows are being given must stay.
            if toOrder.count >= Self.mostToOrder, running == 0 {
                toOrder.removeAll()
                recent.removeAll()
            }
            let statement = try db.makeStatement(sql: sql)
            preparedToOrder += 1
            toOrder[sql] = statement
            return statement
        } catch { throw SQLError(error) }
    }

    /// To be called before the connection closes, which it will not with statements left.
    func forgetStatements() {
        recent.removeAll()
        known.removeAll()
        toOrder.removeAll()
    }
}

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
