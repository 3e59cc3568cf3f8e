import CloudSQL

@testable import CloudSQLite

/// A driver without a database: it records statements, and answers with rows that a test sets.
final class RecordingDriver: SQLDriver {
    private(set) var statements: [String] = []
    /// The rows of a statement, each with one integer.
    var rows: [String: [Int64]] = [:]
    /// Statements that fail.
    var failures: [String: SQLError] = [:]
    var version: Int64? = 1
    private(set) var isInsideTransaction = false

    /// The statements since the last call.
    func take() -> [String] {
        defer { statements = [] }
        return statements
    }

    func each(_ sql: String, _ values: [SQLValue], isMadeToOrder: Bool, _ body: (SQLRow) throws -> Bool) throws {
        statements.append(sql)
        if let failure = failures[sql] { throw failure }
        if sql.hasPrefix("BEGIN") { isInsideTransaction = true }
        if sql == "COMMIT" || sql == "ROLLBACK" { isInsideTransaction = false }
        for row in rows[sql] ?? [] { guard try body(SQLRow(Columns(number: row))) else { return } }
    }

    func script(_ sql: String) throws { statements.append(sql) }
    func dataVersion() throws -> Int64? { version }

    var sharing: (any SQLSharing)? { nil }
    var lastChanges: Int { 1 }
    var totalChanges: Int { statements.count }
    var preparedToOrder: Int { 0 }
    var dialect: any SQLDialect { SQLiteDialect() }

    private struct Columns: SQLColumns {
        let number: Int64

        func isNull(_ column: Int) -> Bool { false }
        func integer(_ column: Int) -> Int64 { number }
        func real(_ column: Int) -> Double { Double(number) }
        func text(_ column: Int) -> String { String(number) }
        func blob(_ column: Int) -> [UInt8] { [] }
        func value(_ column: Int) -> SQLValue { .integer(number) }
    }
}
