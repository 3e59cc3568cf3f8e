import Foundation

// The field value dictionaries of reference A §3.

extension JSON {
    static func field(_ string: String) -> JSON { ["value": .string(string), "type": "STRING"] }

    static func field(_ number: Double) -> JSON { ["value": .number(number), "type": "DOUBLE"] }

    static func field(_ flag: Bool) -> JSON { ["value": .number(flag ? 1 : 0), "type": "INT64"] }

    static func field(_ date: Date) -> JSON {
        ["value": .number((date.timeIntervalSince1970 * 1000).rounded()), "type": "TIMESTAMP"]
    }

    static func field(anyOf strings: [String]) -> JSON {
        ["value": .array(strings.map { .string($0) }), "type": "STRING_LIST"]
    }

    static func field(latitude: Double, longitude: Double) -> JSON {
        ["value": ["latitude": .number(latitude), "longitude": .number(longitude)], "type": "LOCATION"]
    }

    /// What an upload was answered with, unchanged (reference B §8.3).
    static func field(uploaded receipt: JSON) -> JSON { ["value": receipt, "type": "ASSETID"] }

    /// A reference whose holder goes when its target goes.
    static func field(belongsTo recordName: String) -> JSON {
        ["value": ["recordName": .string(recordName), "action": "DELETE_SELF"], "type": "REFERENCE"]
    }

    /// A reference as a filter's operand.
    static func field(refersTo recordName: String) -> JSON {
        ["value": ["recordName": .string(recordName)], "type": "REFERENCE"]
    }

    /// One condition of a query's `filterBy`.
    static func filter(_ field: String, _ comparator: String, _ operand: JSON) -> JSON {
        ["fieldName": .string(field), "comparator": .string(comparator), "fieldValue": operand]
    }

    static func sort(_ field: String, ascending: Bool = true) -> JSON {
        ["fieldName": .string(field), "ascending": .bool(ascending)]
    }
}
