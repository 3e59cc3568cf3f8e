import Foundation

/// A save or delete in a request.
struct RecordOperation: Sendable {
    enum Kind: Sendable {
        case save(CKRecord, CKRecord.State)
        /// Deletes the version with this tag; nil deletes any version.
        case delete(tag: String?)
    }

    let id: CKRecord.ID
    let kind: Kind
    let json: JSON

    static func delete(_ id: CKRecord.ID, tag: String? = nil) -> RecordOperation {
        let record = JSON.members(["recordName": .string(id.recordName), "recordChangeTag": tag.map(JSON.string)])
        return RecordOperation(
            id: id, kind: .delete(tag: tag),
            json: ["operationType": tag == nil ? "forceDelete" : "delete", "record": record])
    }

    static func save(_ record: CKRecord, _ policy: CKDatabase.SavePolicy) -> RecordOperation {
        let state = record.state.withLock { $0 }
        let share = record as? CKShare
        let isForced = share == nil && policy != .ifServerRecordUnchanged
        let isNew = state.system.changeTag == nil
        let sendsAll = isNew ? policy != .changedKeys : policy == .allKeys
        let keys = sendsAll ? Set(state.fields.keys).union(isNew ? [] : state.changed) : state.changed
        var fields: [String: JSON] = [:]
        for key in keys {
            guard let value = state.fields[key] else {
                if !isNew || isForced { fields[key] = .object(["value": .null]) }
                continue
            }
            fields[key] = value.wire
            if state.encrypted.contains(key), case .object(var members) = value.wire {
                members["isEncrypted"] = true
                fields[key] = .object(members)
            }
        }
        var json: [String: JSON?] = [
            "recordName": .string(record.recordID.recordName), "recordType": .string(record.recordType),
            "fields": .object(fields), "recordChangeTag": isForced ? nil : state.system.changeTag.map(JSON.string),
        ]
        if isNew || state.system.parentChanged {
            if let parent = state.system.parent {
                json["parent"] = JSON.object(["recordName": .string(parent.recordName)])
            } else if !isNew {
                json["parent"] = JSON.null
            }
        }
        if let share { json.merge(share.wireMembers(isNew: isNew)) { $1 } }
        let type = isForced ? "forceUpdate" : isNew ? "create" : "update"
        return RecordOperation(
            id: record.recordID, kind: .save(record, state),
            json: ["operationType": .string(type), "record": .members(json)])
    }

    /// Whether the server already has all values of this operation.
    func isDone(on server: CKRecord) -> Bool {
        guard case .save(_, let sent) = kind else { return false }
        let have = server.state.withLock { $0 }
        let keys = sent.system.changeTag == nil ? Set(sent.fields.keys).union(have.fields.keys) : sent.changed
        return (!sent.system.parentChanged || sent.system.parent == have.system.parent)
            && keys.allSatisfy { key in
                switch (sent.fields[key], have.fields[key]) {
                case (nil, nil): true
                case (let mine?, let its?): mine.isSame(as: its)
                default: false
                }
            }
    }
}
