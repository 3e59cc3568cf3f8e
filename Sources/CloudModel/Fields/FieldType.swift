/// The type of a field's single value (reference A §3.2).
package enum FieldKind: String, CaseIterable, Hashable, Sendable {
    case string = "STRING"
    case int64 = "INT64"
    case double = "DOUBLE"
    case timestamp = "TIMESTAMP"
    case bytes = "BYTES"
    case location = "LOCATION"
    case reference = "REFERENCE"
    case asset = "ASSET"
    /// The type created by an untagged JSON number; accepts integers and doubles (reference A §11.1).
    case number = "NUMBER"

    /// The tag in responses, where values of `number` appear as INT64 or DOUBLE.
    package var wireName: String { self == .asset ? "ASSETID" : rawValue }

    /// True if queries can compare values of this kind, in lists too.
    package var isQueryable: Bool {
        switch self {
        case .string, .int64, .double, .timestamp, .reference, .number: true
        case .bytes, .location, .asset: false
        }
    }
}

/// The declared type of a field: its kind, list or single, encrypted or plain.
package struct FieldType: Hashable, Sendable {
    package let kind: FieldKind
    package let isList: Bool
    package let isEncrypted: Bool

    package init(_ kind: FieldKind, isList: Bool = false, isEncrypted: Bool = false) {
        self.kind = kind
        self.isList = isList
        self.isEncrypted = isEncrypted
    }

    /// The type's spelling in error messages and schemas.
    package var name: String {
        (isEncrypted ? "ENCRYPTED_" : "") + (isList ? kind.wireName + "_LIST" : kind.wireName)
    }

    package var isQueryable: Bool { kind.isQueryable && !isEncrypted }
}

/// The `type` tag of a request, more lenient than the tags of responses (reference A §3.2).
package enum TypeTag: Hashable, Sendable {
    case type(FieldType)
    /// `LIST`, `UNKNOWN_LIST`, `EMPTY_LIST`: a list of undeclared element type.
    case someList

    /// - Returns: nil for an unknown tag.
    package init?(_ tag: String) {
        guard let known = Self.known[tag] else { return nil }
        self = known
    }

    private static let known: [String: TypeTag] = {
        var known: [String: TypeTag] = [
            "LIST": .someList, "UNKNOWN_LIST": .someList, "EMPTY_LIST": .someList,
            "ASSET": .type(FieldType(.asset)), "ASSETID": .type(FieldType(.asset)),
            "ASSET_LIST": .type(FieldType(.asset, isList: true)),
            "ASSETID_LIST": .type(FieldType(.asset, isList: true)),
            "NUMBER_INT64": .type(FieldType(.int64)), "NUMBER_DOUBLE": .type(FieldType(.double)),
        ]
        for kind in FieldKind.allCases where kind != .asset {
            for (isList, isEncrypted) in [(false, false), (true, false), (false, true), (true, true)] {
                let tag = (isEncrypted ? "ENCRYPTED_" : "") + kind.rawValue + (isList ? "_LIST" : "")
                known[tag] = .type(FieldType(kind, isList: isList, isEncrypted: isEncrypted))
            }
        }
        return known
    }()
}
