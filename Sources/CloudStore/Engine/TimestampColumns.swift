import CloudModel
import CloudSQL

extension SQLValue {
    /// A moment as the tables of records have it, in whole milliseconds.
    static func timestamp(_ moment: Timestamp) -> SQLValue { .integer(moment.milliseconds) }
    static func timestamp(optional moment: Timestamp?) -> SQLValue { moment.map(SQLValue.timestamp) ?? .null }

    /// A moment as the tables of accounts have it, in seconds with a fraction.
    static func seconds(_ moment: Timestamp) -> SQLValue { .real(moment.seconds) }
    static func seconds(optional moment: Timestamp?) -> SQLValue { moment.map(SQLValue.seconds) ?? .null }
}

extension SQLRow {
    /// A moment as the tables of records have it; 1970 for NULL.
    func timestamp(_ column: Int) -> Timestamp { Timestamp(milliseconds: integer(column)) }
    func optionalTimestamp(_ column: Int) -> Timestamp? { isNull(column) ? nil : timestamp(column) }

    /// A moment as the tables of accounts have it; 1970 for NULL.
    func timestamp(seconds column: Int) -> Timestamp { Timestamp(seconds: real(column)) }
    func optionalTimestamp(seconds column: Int) -> Timestamp? { isNull(column) ? nil : timestamp(seconds: column) }
}
