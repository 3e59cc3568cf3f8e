/// A value of the key-value store: any property list value, with its kind preserved.
package indirect enum PropertyValue: Hashable, Sendable {
    case string(String)
    case int64(Int64)
    case double(Double)
    case boolean(Bool)
    /// Milliseconds since 1970-01-01Z, possibly fractional.
    case timestamp(Double)
    /// Standard base64, padded.
    case bytes(String)
    case list([PropertyValue])
    /// In the order received, with unique keys.
    case dictionary([Member])

    /// A dictionary's key and value. Keys compare by their bytes.
    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: PropertyValue

        package init(key: String, value: PropertyValue) {
            self.key = key
            self.value = value
        }
    }

    /// The kinds by their wire names.
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
    /// Overhead per element of a list or dictionary, so that empty elements are not free.
    private static let elementBytes = 4

    /// The size for the quota: the bytes of text or data, 8 for a number or date, 1 for a Boolean; for lists and dictionaries
    /// the sum of their keys and values, plus 4 per element.
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
