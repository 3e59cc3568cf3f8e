import CPostgres
import CloudSQL

/// One answer of the server's: a row, the end of a statement, or an error.
final class PostgresResult {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }
    var isError: Bool { status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE }

    /// The command tag of the statement, such as `UPDATE 3`.
    var command: String { String(cString: PQcmdStatus(pointer)) }

    /// Rows that an INSERT, UPDATE or DELETE has changed; nil for anything else.
    var changes: Int? {
        let command = command
        guard ["INSERT", "UPDATE", "DELETE"].contains(where: command.hasPrefix) else { return nil }
        return Int(String(cString: PQcmdTuples(pointer)))
    }

    /// The first column of its first row as text, where the answer is in text.
    var firstText: String? { text(0) }

    /// A column of its first row as text, where the answer is in text.
    func text(_ column: Int32) -> String? {
        guard PQntuples(pointer) > 0, PQnfields(pointer) > column, PQgetisnull(pointer, 0, column) == 0 else {
            return nil
        }
        return String(cString: PQgetvalue(pointer, 0, column))
    }

    /// The types of a prepared statement's parameters.
    var parameterTypes: [PostgresType] {
        (0..<PQnparams(pointer)).map { PostgresType(rawValue: PQparamtype(pointer, $0)) }
    }

    /// The SQLSTATE of an error; empty where there is none.
    var state: String {
        // PG_DIAG_SQLSTATE, a character constant, which the importer leaves out.
        PQresultErrorField(pointer, 67).map { String(cString: $0) } ?? ""
    }

    func error(_ sql: String?) -> SQLError {
        let message = String(cString: PQresultErrorMessage(pointer)).trimmed
        return SQLError(SQLError.Kind(state: state), "\(message) (\(state))", sql: sql)
    }
}

extension String {
    /// Without the line break that libpq ends its messages with.
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
