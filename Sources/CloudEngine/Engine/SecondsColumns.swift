package import CloudModel
package import CloudSQL

extension SQLValue {
    /// A timestamp in fractional seconds, as stored in the accounts database.
    package static func seconds(_ moment: Timestamp) -> SQLValue { .real(moment.seconds) }
    package static func seconds(optional moment: Timestamp?) -> SQLValue { moment.map(SQLValue.seconds) ?? .null }
}

extension SQLRow {
    /// A timestamp from the accounts database; 1970 for NULL.
    package func timestamp(seconds column: Int) -> Timestamp { Timestamp(seconds: real(column)) }
    package func optionalTimestamp(seconds column: Int) -> Timestamp? {
        isNull(column) ? nil : timestamp(seconds: column)
    }
}
