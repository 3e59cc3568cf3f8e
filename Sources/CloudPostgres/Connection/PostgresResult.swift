import CPostgres
import CloudSQL

/// A server response: a row, a statement's end, or an error.
final class PostgresResult {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }
    var isError: Bool { status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE }

    /// The command tag, such as `UPDATE 3`.
    var command: String { String(cString: PQcmdStatus(pointer)) }

    /// Rows changed by an INSERT, UPDATE or DELETE; nil for other statements.
    var changes: Int? {
        let command = command
        guard ["INSERT", "UPDATE", "DELETE"].contains(where: command.hasPrefix) else { return nil }
        return Int(String(cString: PQcmdTuples(pointer)))
    }

    /// The first column of the first row, for text results.
    var firstText: String? { text(0) }

    /// A column of the first row, for text results.
    func text(_ column: Int32) -> String? {
        guard PQntuples(pointer) > 0, PQnfields(pointer) > column, PQgetisnull(pointer, 0, column) == 0 else {
            return nil
        }
        return String(cString: PQgetvalue(pointer, 0, column))
    }

    /// The parameter types of a prepared statement.
    var parameterTypes: [PostgresType] {
        (0..<PQnparams(pointer)).map { PostgresType(rawValue: PQparamtype(pointer, $0)) }
    }

    /// An error's SQLSTATE; empty if there is no error.
    var state: String {
        // PG_DIAG_SQLSTATE, a character constant that the importer skips.
        PQresultErrorField(pointer, 67).map { String(cString: $0) } ?? ""
    }

    func error(_ sql: String?) -> SQLError {
        let message = String(cString: PQresultErrorMessage(pointer)).trimmed
        return SQLError(SQLError.Kind(state: state), "\(message) (\(state))", sql: sql)
    }
}

extension String {
    /// The text without libpq's trailing line break.
    var trimmed: String {
        var text = self[...]
        while text.last?.isNewline == true { text = text.dropLast() }
        return String(text)
    }
}

extension SQLError.Kind {
    /// - Parameter state: an SQLSTATE (postgresql.org/docs/15/errcodes-appendix.html).
    init(state: String) {
        switch state {
        case "53100": self = .full
        case "55P03", "40001", "40P01", "25P03", "53300", "57014": self = .busy
        case "25006": self = .readOnly
        case "25P02", "0A000", "26000": self = .aborted
        case "42P01": self = .gone
        case "XX001", "XX002": self = .damaged
        case let state where state.hasPrefix("23"): self = .constraint
        case let state where ["08", "57", "58", "28"].contains { state.hasPrefix($0) }: self = .unusable
        default: self = .other
        }
    }
}
