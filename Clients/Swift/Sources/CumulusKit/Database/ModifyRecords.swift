import Foundation

extension CKDatabase {
    public enum SavePolicy: Int, Sendable {
        /// Fails with `serverRecordChanged` if the server has a newer version.
        case ifServerRecordUnchanged = 0
        /// Overwrites changed fields regardless of the server's version.
        case changedKeys = 1
        /// Overwrites the server's record with all fields of this copy; fields known only to the server stay.
        case allKeys = 2
    }

    public typealias ModifyResults = (
        saveResults: [CKRecord.ID: Result<CKRecord, any Error>], deleteResults: [CKRecord.ID: Result<Void, any Error>]
    )

    @discardableResult
    public func save(_ record: CKRecord) async throws -> CKRecord {
        try await only(modifyRecords(saving: [record], deleting: []).saveResults)
    }

    @discardableResult
    public func deleteRecord(withID id: CKRecord.ID) async throws -> CKRecord.ID {
        let results = try await modifyRecords(saving: [], deleting: [id]).deleteResults
        try only(results)
        return id
    }

    /// Saves and deletes records, with a result for each.
    ///
    /// - Parameter atomically: whether each zone's changes succeed or fail together. Atomic changes of over 200 items fail with
    ///   `limitExceeded`, since they need several requests; nonatomic changes are split into requests.
    /// - Throws: errors of a whole request; no item then has a result.
    public func modifyRecords(
        saving records: [CKRecord], deleting ids: [CKRecord.ID], savePolicy: SavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = true
    ) async throws -> ModifyResults {
        let all = records.map(\.recordID) + ids
        guard Set(all).count == all.count else {
            throw CKError(.invalidArguments, "A record can be saved or deleted only once in a call.")
        }
        try await uploadAssets(of: records)
        let operations = records.map { RecordOperation.save($0, savePolicy) } + ids.map { RecordOperation.delete($0) }
        return try await modify(operations, atomically: atomically)
    }

    /// Saves and deletes records, zone by zone.
    ///
    /// - Parameter refusedZonesAreResults: whether a zone's refusal becomes each operation's result, and the next zone is
    ///   tried. Otherwise the refusal is thrown.
    func modify(
        _ operations: [RecordOperation], atomically: Bool, refusedZonesAreResults: Bool = false
    ) async throws -> ModifyResults {
        var saves: [CKRecord.ID: Result<CKRecord, any Error>] = [:]
        var deletes: [CKRecord.ID: Result<Void, any Error>] = [:]
        for (zone, operations) in operations.grouped(by: \.id.zoneID) {
            let results: [Result<CKRecord?, any Error>]
            do {
                results = try await modify(operations, in: zone, atomically: atomically)
            } catch let error as CKError where refusedZonesAreResults && !error.isGeneral {
                results = operations.map { _ in .failure(error) }
            }
            for (operation, result) in zip(operations, results) {
                if case .save(let record, _) = operation.kind {
                    saves[operation.id] = result.map { $0 ?? record }
                } else {
                    deletes[operation.id] = result.map { _ in }
                }
            }
        }
        return (saves, deletes)
    }

    /// Changes a single zone, in as many requests as needed.
    private func modify(
        _ operations: [RecordOperation], in zone: CKRecordZone.ID, atomically: Bool
    ) async throws -> [Result<CKRecord?, any Error>] {
        let isAtomic = atomically && zone.zoneName != CKRecordZone.ID.defaultZoneName
        if isAtomic, operations.count > Self.mostOperations {
            throw CKError(
                .limitExceeded,
                "\(operations.count) records are more than the \(Self.mostOperations) that can be saved together. "
                    + "Save fewer, or not atomically.")
        }
        var results: [Result<CKRecord?, any Error>] = []
        for batch in isAtomic ? [operations] : Self.batches(operations) {
            results += try await request(batch, in: zone, atomically: isAtomic)
        }
        return results
    }

    static func batches(_ operations: [RecordOperation]) -> [[RecordOperation]] {
        var batches: [[RecordOperation]] = []
        var bytes = 0
        for operation in operations {
            let size = operation.json.data.count
            if batches.isEmpty || batches[batches.count - 1].count == mostOperations || bytes + size > mostBytes {
                batches.append([])
                bytes = 0
            }
            batches[batches.count - 1].append(operation)
            bytes += size
        }
        return batches
    }

    private func request(
        _ operations: [RecordOperation], in zone: CKRecordZone.ID, atomically: Bool
    ) async throws -> [Result<CKRecord?, any Error>] {
        do {
            let reply = try await post(
                "records/modify",
                [
                    "zoneID": zone.wire, "atomic": .bool(atomically),
                    "operations": .array(operations.map(\.json)),
                ])
            let items = try reply.body.items("records", count: operations.count)
            let results = zip(operations, items).map { self.result($0, $1, zone) }
            return try await explainConflicts(results, of: operations, wasRepeated: reply.wasRepeated)
        } catch let error as CKError where error.code == .limitExceeded && !atomically && operations.count > 1 {
            let middle = operations.count / 2
            return try await request(Array(operations[..<middle]), in: zone, atomically: false)
                + request(Array(operations[middle...]), in: zone, atomically: false)
        }
    }

    private func result(
        _ operation: RecordOperation, _ item: JSON, _ zone: CKRecordZone.ID
    ) -> Result<CKRecord?, any Error> {
        Result {
            if item["serverErrorCode"] != nil { throw CKError(wire: item) }
            guard case .save(let record, let sent) = operation.kind else { return nil }
            record.saved(as: try received(item, zone, whole: true), sent: sent)
            return record
        }
    }
}
