/// Fields of every record, without declaration (reference A §5.4, §11.2).
package enum SystemField: String, CaseIterable, Hashable, Sendable {
    case recordName = "___recordID"
    case share = "___share"
    case parent = "___parent"
    case createdUserRecordName = "___createdBy"
    case createdTimestamp = "___createTime"
    case modifiedTimestamp = "___modTime"
    case modifiedUserRecordName = "___modifiedBy"

    /// From a `systemFieldName` of a query.
    package init?(systemFieldName name: String) {
        switch name {
        case "recordName": self = .recordName
        case "share": self = .share
        case "parent": self = .parent
        case "createdUserRecordName": self = .createdUserRecordName
        case "createdTimestamp": self = .createdTimestamp
        case "modifiedTimestamp": self = .modifiedTimestamp
        case "modifiedUserRecordName": self = .modifiedUserRecordName
        default: return nil
        }
    }

    /// From a `fieldName` in the schema's spelling.
    package init?(schemaName name: String) {
        if name == "___recordId" { self = .recordName } else { self.init(rawValue: name) }
    }

    package var type: FieldType {
        switch self {
        case .createdTimestamp, .modifiedTimestamp: FieldType(.timestamp)
        default: FieldType(.reference)
        }
    }

    /// The name in index errors: `recordName` for short, otherwise the schema's spelling (A §5.6).
    package var errorName: String { self == .recordName ? "recordName" : rawValue }
}
