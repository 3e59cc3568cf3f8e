/// The columns of one row, numbered from zero, as read by an engine.
package protocol SQLColumns {
    func isNull(_ column: Int) -> Bool
    func integer(_ column: Int) -> Int64
    func real(_ column: Int) -> Double
    func text(_ column: Int) -> String
    func blob(_ column: Int) -> [UInt8]
    func value(_ column: Int) -> SQLValue
}

/// A result row, valid until the next row is read. Columns are numbered from zero.
package struct SQLRow {
    private let columns: any SQLColumns

    package init(_ columns: any SQLColumns) { self.columns = columns }

    package func isNull(_ column: Int) -> Bool { columns.isNull(column) }

    /// Zero for NULL, like ``real(_:)``.
    package func integer(_ column: Int) -> Int64 { columns.integer(column) }
    package func real(_ column: Int) -> Double { columns.real(column) }
    package func bool(_ column: Int) -> Bool { columns.integer(column) != 0 }

    /// Empty for NULL, like ``blob(_:)``.
    package func text(_ column: Int) -> String { columns.text(column) }
    package func blob(_ column: Int) -> [UInt8] { columns.blob(column) }

    package func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }
    package func optionalReal(_ column: Int) -> Double? { isNull(column) ? nil : real(column) }
    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
    package func optionalBlob(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }

    package func value(_ column: Int) -> SQLValue { columns.value(column) }
}
