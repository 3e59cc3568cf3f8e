public import Foundation

/// A record with type, name, zone and fields. A reference type: all holders see the same fields.
public class CKRecord: @unchecked Sendable {
    public typealias FieldKey = String
    public typealias RecordType = String

    /// The record's mutable state. A lock makes the class thread-safe, which the compiler cannot verify for a class with
    /// subclasses.
    struct State: Sendable {
        var system = SystemFields()
        var fields: [String: CKFieldValue] = [:]
        var changed: Set<String> = []
        var encrypted: Set<String> = []
        /// The server's field values, if the record was fetched or saved whole.
        var ancestor: [String: CKFieldValue]?
    }

    /// The record's metadata on the server, apart from its fields.
    struct SystemFields: Sendable {
        var changeTag: String?
        var created: Stamp?
        var modified: Stamp?
        var parent: CKRecord.ID?
        var share: CKRecord.ID?
        var shortGUID: String?
        var parentChanged = false
    }

    struct Stamp: Sendable, Codable {
        var time: Date
        var user: String?
    }

    public let recordType: RecordType
    public let recordID: ID
    let state: Mutex<State>

    public init(recordType: RecordType, recordID: ID = ID()) {
        self.recordType = recordType
        self.recordID = recordID
        state = Mutex(State())
    }

    init(recordType: RecordType, recordID: ID, state: State) {
        self.recordType = recordType
        self.recordID = recordID
        self.state = Mutex(state)
    }

    public convenience init(recordType: RecordType, zoneID: CKRecordZone.ID) {
        self.init(recordType: recordType, recordID: ID(zoneID: zoneID))
    }

    public static func newName() -> String { UUID().uuidString }

    /// The version of this copy; nil before the first save.
    public var recordChangeTag: String? { state.withLock { $0.system.changeTag } }
    public var creationDate: Date? { state.withLock { $0.system.created?.time } }
    public var modificationDate: Date? { state.withLock { $0.system.modified?.time } }
    public var creatorUserRecordID: ID? { state.withLock { $0.system.created?.user }.map { ID(recordName: $0) } }
    public var lastModifiedUserRecordID: ID? { state.withLock { $0.system.modified?.user }.map { ID(recordName: $0) } }
    /// The share rooted at this record.
    public var share: Reference? { state.withLock { $0.system.share }.map { Reference(recordID: $0, action: .none) } }

    /// The parent record, whose share includes this record.
    public var parent: Reference? {
        get { state.withLock { $0.system.parent }.map { Reference(recordID: $0, action: .none) } }
        set {
            state.withLock { state in
                state.system.parent = newValue?.recordID
                state.system.parentChanged = true
            }
        }
    }

    public func setParent(_ parent: CKRecord?) { setParent(parent?.recordID) }
    public func setParent(_ parent: ID?) { self.parent = parent.map { Reference(recordID: $0, action: .none) } }

    /// A separate object with equal contents.
    public func copy() -> CKRecord {
        let state = state.withLock { $0 }
        if self is CKShare { return CKShare(recordID: recordID, state: state) }
        return CKRecord(recordType: recordType, recordID: recordID, state: state)
    }
}

extension CKRecord: CustomStringConvertible {
    public var description: String { "\(recordType) \(recordID.recordName) in \(recordID.zoneID)" }
}
