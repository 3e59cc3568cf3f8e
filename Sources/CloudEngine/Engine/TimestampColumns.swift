import CloudModel
import CloudSQL

extension SQLValue {
    /// A timestamp in whole milliseconds, as stored in records databases.
    static func timestamp(_ moment: Timestamp) -> SQLValue { .integer(moment.milliseconds) }
    static func timestamp(optional moment: Timestamp?) -> SQLValue { moment.map(SQLValue.timestamp) ?? .null }

    /// A timestamp in fractional seconds, as stored in the accounts database.
    static func seconds(_ moment: Timestamp) -> SQLValue { .real(moment.seconds) }
    static func seconds(optional moment: Timestamp?) -> SQLValue { moment.map(SQLValue.seconds) ?? .null }
}

extension SQLRow {
    /// A timestamp from a records database; 1970 for NULL.
    func timestamp(_ column: Int) -> Timestamp { Timestamp(milliseconds: integer(column)) }
    func optionalTimestamp(_ column: Int) -> Timestamp? { isNull(column) ? nil : timestamp(column) }

    /// A timestamp from the accounts database; 1970 for NULL.
    func timestamp(seconds column: Int) -> Timestamp { Timestamp(seconds: real(column)) }
    func optionalTimestamp(seconds column: Int) -> Timestamp? { isNull(column) ? nil : timestamp(seconds: column) }
}
