import Foundation

extension CKRecord {
    /// Parses a server's record; nil if malformed.
    static func received(_ json: JSON, zone: CKRecordZone.ID, in database: CKDatabase, whole: Bool = true) -> CKRecord?
    {
        guard let name = json["recordName"]?.string, let type = json["recordType"]?.string else { return nil }
        let zone = CKRecordZone.ID(wire: json["zoneID"], in: database.databaseScope) ?? zone
        var state = State()
        for (key, field) in json["fields"]?.object ?? [:] {
            guard let value = CKFieldValue(wire: field, zone: zone) else { continue }
            value.cameFrom(database.container.wire)
            state.fields[key] = value
            if field["isEncrypted"]?.bool == true { state.encrypted.insert(key) }
        }
        state.ancestor = whole ? state.fields : nil
        state.system = SystemFields(json, zone)
        let id = ID(recordName: name, zoneID: zone)
        guard type == CKShare.type else { return CKRecord(recordType: type, recordID: id, state: state) }
        return CKShare(recordID: id, state: state, json: json, origin: database.container.configuration.origin)
    }

    /// Takes over the server's result of a save. Fields set meanwhile stay changed.
    func saved(as server: CKRecord, sent: State) {
        let new = server.state.withLock { $0 }
        state.withLock { state in
            let later = state.changed.filter { !sent.changed.contains($0) || state.fields[$0] != sent.fields[$0] }
            var fields = new.fields
            for key in later { fields[key] = state.fields[key] }
            let parentIsLater = state.system.parentChanged && state.system.parent != sent.system.parent
            let parent = state.system.parent
            state.fields = fields
            state.ancestor = new.fields
            state.changed = later
            state.system = new.system
            if parentIsLater {
                state.system.parent = parent
                state.system.parentChanged = true
            }
        }
        if let mine = self as? CKShare, let its = server as? CKShare { mine.take(its) }
    }
}

extension CKRecord.SystemFields {
    init(_ json: JSON, _ zone: CKRecordZone.ID) {
        changeTag = json["recordChangeTag"]?.string
        created = CKRecord.Stamp(json["created"])
        modified = CKRecord.Stamp(json["modified"])
        parent = (json["parent"]?["recordName"]?.string).map { CKRecord.ID(recordName: $0, zoneID: zone) }
        share = (json["share"]?["recordName"]?.string).map { CKRecord.ID(recordName: $0, zoneID: zone) }
        shortGUID = json["shortGUID"]?.string
    }
}

extension CKRecord.Stamp {
    init?(_ json: JSON?) {
        guard let time = json?["timestamp"]?.double else { return nil }
        self.init(time: Date(milliseconds: time), user: json?["userRecordName"]?.string)
    }
}

extension CKFieldValue {
    fileprivate func cameFrom(_ wire: WireClient) {
        switch self {
        case .asset(let asset): asset.came(from: wire)
        case .list(let items, _): for item in items { item.cameFrom(wire) }
        default: break
        }
    }

    /// The assets in the value.
    var assets: [CKAsset] {
        switch self {
        case .asset(let asset): [asset]
        case .list(let items, _): items.flatMap(\.assets)
        default: []
        }
    }
}
