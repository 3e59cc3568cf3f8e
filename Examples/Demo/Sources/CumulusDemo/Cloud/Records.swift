import CumulusKit
import Foundation

extension CKContainer {
    /// The same app in the hands of somebody without an account.
    var stranger: CKContainer { with { $0.credentials = MemoryCredentialStore() } }

    /// The same person with another device. The name is one that no earlier play has used.
    func device(_ name: String) -> CKContainer {
        with { $0.clientID = "\(name)-\(UUID().uuidString.prefix(8).lowercased())" }
    }

    func with(_ change: (inout CumulusConfiguration) -> Void) -> CKContainer {
        var settings = configuration
        change(&settings)
        return CKContainer(settings)
    }
}

extension CKDatabase {
    /// Saves and deletes in one request, and fails with the first of the refusals.
    ///
    /// - Returns: how many were saved and deleted.
    @discardableResult
    func write(
        _ records: [CKRecord] = [], deleting ids: [CKRecord.ID] = [], _ policy: SavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = true
    ) async throws -> Int {
        let (saves, deletes) = try await modifyRecords(
            saving: records, deleting: ids, savePolicy: policy, atomically: atomically)
        for result in saves.values { _ = try result.get() }
        for result in deletes.values { try result.get() }
        return saves.count + deletes.count
    }

    /// The first page of what a query finds.
    func find(
        _ type: CKRecord.RecordType, _ predicate: CKPredicate = .all, by order: [CKQuery.SortDescriptor] = [],
        in zone: CKRecordZone.ID = .default, desiredKeys: [CKRecord.FieldKey]? = nil, limit: Int? = nil
    ) async throws -> (records: [CKRecord], cursor: CKQuery.Cursor?) {
        let query = CKQuery(recordType: type, predicate: predicate, sortDescriptors: order)
        let page = try await records(
            matching: query, inZoneWith: zone, desiredKeys: desiredKeys, resultsLimit: limit)
        return (try page.matchResults.map { try $0.1.get() }, page.queryCursor)
    }

    /// A zone without anything in it: what an earlier play left goes first.
    func makeEmpty(_ zone: CKRecordZone.ID) async throws {
        try await Wire.quietly {
            _ = try? await deleteRecordZone(withID: zone)
            try await save(CKRecordZone(zoneID: zone))
        }
    }
}

extension CKRecord {
    convenience init(
        _ type: RecordType, _ name: String, in zone: CKRecordZone.ID = .default,
        _ fields: [FieldKey: any CKRecordValueProtocol]
    ) {
        self.init(recordType: type, recordID: ID(recordName: name, zoneID: zone))
        for (key, value) in fields { set(key, value.fieldValue) }
    }

    var name: String { recordID.recordName }
    func string(_ key: FieldKey) -> String? { self[key] }
    func number(_ key: FieldKey) -> Double? { self[key] }
}

extension Result {
    /// Why an item failed; nil where it did not.
    var code: CKError.Code? {
        guard case .failure(let error) = self else { return nil }
        return (error as? CKError)?.code
    }
}
