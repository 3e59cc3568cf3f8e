import CloudModel
import CloudSQL

extension SQLRow {
    /// The body of a record in a column; one without bytes for NULL.
    func record(_ column: Int) -> RecordBody { RecordBody(blob(column)) }
}

extension SQLValue {
    static func record(_ body: RecordBody) -> SQLValue { .blob(body.bytes) }
}
