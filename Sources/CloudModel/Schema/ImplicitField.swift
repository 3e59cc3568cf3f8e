/// A field that schema text gives every record type implicitly (reference A §11.2). Declaring it sets its index marks.
package enum ImplicitField: String, CaseIterable, Hashable, Sendable {
    case createTime = "___createTime"
    case createdBy = "___createdBy"
    case etag = "___etag"
    case modTime = "___modTime"
    case modifiedBy = "___modifiedBy"
    case recordID = "___recordID"

    /// The implicit field of a system field; nil for system fields without an index.
    package init?(_ field: SystemField) {
        switch field {
        case .recordName: self = .recordID
        case .createdTimestamp: self = .createTime
        case .createdUserRecordName: self = .createdBy
        case .modifiedTimestamp: self = .modTime
        case .modifiedUserRecordName: self = .modifiedBy
        case .share, .parent: return nil
        }
    }

    package var kind: FieldKind {
        switch self {
        case .createTime, .modTime: .timestamp
        case .etag: .string
        case .createdBy, .modifiedBy, .recordID: .reference
        }
    }
}
