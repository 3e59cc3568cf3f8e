public import Foundation

/// A position in a database's or zone's change feed.
public struct CKServerChangeToken: Sendable, Hashable, Codable {
    let value: String
}

extension CKDatabase {
    /// A page of a zone's changes.
    public struct RecordZoneChange: Sendable {
        public struct Modification: Sendable {
            public let record: CKRecord
        }

        public struct Deletion: Sendable {
            public let recordID: CKRecord.ID
        }

        public let modificationResultsByID: [CKRecord.ID: Result<Modification, any Error>]
        public let deletions: [Deletion]
        public let changeToken: CKServerChangeToken
        public let moreComing: Bool
        /// The page's records in server order.
        public let records: [CKRecord]
    }

    /// A page of changed and deleted zones.
    public struct DatabaseChange: Sendable {
        public struct Modification: Sendable {
            public let zoneID: CKRecordZone.ID
        }

        public struct Deletion: Sendable, Hashable {
            public enum Reason: Sendable, Hashable {
                case deleted
                case purged
                case encryptedDataReset
                /// The server's full list of zones, requested after a refused token, lacks this zone. After a restore the zone
                /// may be lost rather than deleted: zones created after `restoredTo` are lost.
                case missingAfterResync(restoredTo: Date?)

                init(wire zone: JSON) {
                    switch zone["deletionReason"]?.string {
                    case "PURGED": self = .purged
                    case "ENCRYPTED_DATA_RESET": self = .encryptedDataReset
                    default: self = .deleted
                    }
                }
            }

            public let zoneID: CKRecordZone.ID
            public let reason: Reason
        }

        public let modifications: [Modification]
        public let deletions: [Deletion]
        public let changeToken: CKServerChangeToken
        public let moreComing: Bool
    }

    /// A page of a zone's changes. If `moreComing`, the next page follows the page's token.
    ///
    /// - Throws: `changeTokenExpired` for an unknown token: read again from nil.
    public func recordZoneChanges(
        inZoneWith id: CKRecordZone.ID, since token: CKServerChangeToken?, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int? = nil
    ) async throws -> RecordZoneChange {
        let answer = try await post(
            "changes/zone",
            [
                "zones": [
                    .members(["zoneID": id.wire, "syncToken": token.map { .string($0.value) }])
                ],
                "desiredKeys": desiredKeys.map(JSON.init(names:)),
                "resultsLimit": resultsLimit.map { .integer(Int64($0)) },
            ]
        ).body
        let zone = try answer.items("zones", count: 1)[0]
        if zone["serverErrorCode"] != nil { throw CKError(wire: zone) }
        return try page(zone, id, whole: desiredKeys == nil)
    }

    private func page(_ zone: JSON, _ id: CKRecordZone.ID, whole: Bool) throws -> RecordZoneChange {
        guard let token = zone["syncToken"]?.string else { throw CKError.unexpected("a syncToken") }
        var results: [CKRecord.ID: Result<RecordZoneChange.Modification, any Error>] = [:]
        var deletions: [RecordZoneChange.Deletion] = []
        var records: [CKRecord] = []
        for item in try zone.items("records") {
            guard let name = item["recordName"]?.string else { continue }
            let recordID = CKRecord.ID(recordName: name, zoneID: id)
            if item["deleted"]?.bool == true {
                deletions.append(RecordZoneChange.Deletion(recordID: recordID))
                continue
            }
            let result = Result { try received(item, id, whole: whole) }
            results[recordID] = result.map(RecordZoneChange.Modification.init(record:))
            if let record = try? result.get() { records.append(record) }
        }
        return RecordZoneChange(
            modificationResultsByID: results, deletions: deletions, changeToken: CKServerChangeToken(value: token),
            moreComing: zone["moreComing"]?.bool ?? false, records: records)
    }

    /// A page of changed zones.
    public func databaseChanges(
        since token: CKServerChangeToken?, resultsLimit: Int? = nil
    ) async throws -> DatabaseChange {
        let answer = try await post(
            "changes/database",
            [
                "syncToken": token.map { .string($0.value) },
                "resultsLimit": resultsLimit.map { .integer(Int64($0)) },
            ]
        ).body
        guard let next = answer["syncToken"]?.string else { throw CKError.unexpected("a syncToken") }
        var modifications: [DatabaseChange.Modification] = []
        var deletions: [DatabaseChange.Deletion] = []
        for item in try answer.items("zones") {
            guard let id = CKRecordZone.ID(wire: item["zoneID"], in: databaseScope) else { continue }
            if item["deleted"]?.bool == true {
                deletions.append(DatabaseChange.Deletion(zoneID: id, reason: .init(wire: item)))
            } else {
                modifications.append(DatabaseChange.Modification(zoneID: id))
            }
        }
        return DatabaseChange(
            modifications: modifications, deletions: deletions, changeToken: CKServerChangeToken(value: next),
            moreComing: answer["moreComing"]?.bool ?? false)
    }
}
