import CloudModel
import CloudSQL

extension SQLValue {
    /// A timestamp in whole milliseconds, as stored in records databases.
    static func timestamp(_ moment: Timestamp) -> SQLValue { .integer(moment.milliseconds) }
    static func timestamp(optional moment: Timestamp?) -> SQLValue { moment.map(SQLValue.timestamp) ?? .null }
}

extension SQLRow {
    /// A timestamp from a records database; 1970 for NULL.
    func timestamp(_ column: Int) -> Timestamp { Timestamp(milliseconds: integer(column)) }
    func optionalTimestamp(_ column: Int) -> Timestamp? { isNull(column) ? nil : timestamp(column) }
}
