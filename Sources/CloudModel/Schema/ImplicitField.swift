/// A field that every record type has in schema text without declaring it (reference A §11.2). Declaring one only says
/// how it is indexed.
package enum ImplicitField: String, CaseIterable, Hashable, Sendable {
    case createTime = "___createTime"
    case createdBy = "___createdBy"
    case etag = "___etag"
    case modTime = "___modTime"
    case modifiedBy = "___modifiedBy"
    case recordID = "___recordID"

    package var kind: FieldKind {
        switch self {
        case .createTime, .modTime: .timestamp
        case .etag: .string
        case .createdBy, .modifiedBy, .recordID: .reference
        }
    }
}
