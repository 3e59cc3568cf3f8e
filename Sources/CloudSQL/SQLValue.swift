/// A value bound to a statement or read from a row.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package static func text(optional text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
    package static func integer(optional integer: Int64?) -> SQLValue { integer.map(SQLValue.integer) ?? .null }
    package static func bool(_ bool: Bool) -> SQLValue { .integer(bool ? 1 : 0) }

    /// A JSON array, for `json_each`.
    package static func list(_ integers: some Sequence<Int64>) -> SQLValue {
        .text("[" + integers.map(String.init).joined(separator: ",") + "]")
    }
}
