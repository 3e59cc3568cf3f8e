public import Foundation

extension CKRecord {
    private struct Archive: Codable {
        var version = 1
        var recordType: String
        var recordID: ID
        var changeTag: String?
        var created: Stamp?
        var modified: Stamp?
        var parent: ID?
        var share: ID?
        var shortGUID: String?
    }

    /// A record's metadata for storage in an app's own database. A save from this data names the version that it starts from.
    public func encodedSystemFields() -> Data {
        let system = state.withLock { $0.system }
        let archive = Archive(
            recordType: recordType, recordID: recordID, changeTag: system.changeTag, created: system.created,
            modified: system.modified, parent: system.parent, share: system.share, shortGUID: system.shortGUID)
        // Encoding the archive cannot fail.
        return (try? JSONEncoder().encode(archive)) ?? Data()
    }

    /// Restores a record from ``encodedSystemFields()``, without fields: a save sends only fields set later.
    ///
    /// - Throws: a decoding error for other bytes.
    public static func decoding(systemFields: Data) throws -> CKRecord {
        let archive = try JSONDecoder().decode(Archive.self, from: systemFields)
        var state = State()
        state.system = SystemFields(
            changeTag: archive.changeTag, created: archive.created, modified: archive.modified,
            parent: archive.parent, share: archive.share, shortGUID: archive.shortGUID)
        if archive.recordType == CKShare.type { return CKShare(recordID: archive.recordID, state: state) }
        return CKRecord(recordType: archive.recordType, recordID: archive.recordID, state: state)
    }
}
