/// A value of the key-value store: whatever a property list can hold, each kind kept apart.
package indirect enum PropertyValue: Hashable, Sendable {
    case string(String)
    case int64(Int64)
    case double(Double)
    case boolean(Bool)
    /// Milliseconds since 1970-01-01Z, with the fraction a device may have.
    case timestamp(Double)
    /// Standard base64, padded.
    case bytes(String)
    case list([PropertyValue])
    /// In the order received, each key once.
    case dictionary([Member])

    /// A key of a dictionary and its value. Keys compare by their bytes.
    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: PropertyValue

        package init(key: String, value: PropertyValue) {
            self.key = key
            self.value = value
        }
    }

    /// The kinds as the wire names them.
    package enum Kind: String, CaseIterable, Sendable {
        case string = "STRING"
        case int64 = "INT64"
        case double = "DOUBLE"
        case boolean = "BOOLEAN"
        case timestamp = "TIMESTAMP"
        case bytes = "BYTES"
        case list = "LIST"
        case dictionary = "DICTIONARY"
    }

    package var kind: Kind {
        switch self {
        case .string: .string
        case .int64: .int64
        case .double: .double
        case .boolean: .boolean
        case .timestamp: .timestamp
        case .bytes: .bytes
        case .list: .list
        case .dictionary: .dictionary
        }
    }
}

extension PropertyValue {
    /// Bytes counted for an element of a list or dictionary beside its own size, or empty ones would be free.
    private static let elementBytes = 4

    /// The bytes it counts towards a quota: those of its text or data, 8 for a number or date, 1 for a boolean, and
    /// for a list or dictionary the sum of its keys and values with 4 more for each.
    package var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .int64, .double, .timestamp: 8
        case .boolean: 1
        case .bytes(let base64): Base64.byteCount(padded: base64)
        case .list(let elements): elements.reduce(0) { $0 + Self.elementBytes + $1.byteCount }
        case .dictionary(let members):
            members.reduce(0) { $0 + Self.elementBytes + $1.key.utf8.count + $1.value.byteCount }
        }
    }
}
