extension CKDatabase {
    public func record(for id: CKRecord.ID) async throws -> CKRecord { try await only(records(for: [id])) }

    /// - Parameter desiredKeys: nil for all fields, empty for none.
    public func records(
        for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        var results: [CKRecord.ID: Result<CKRecord, any Error>] = [:]
        for (zone, ids) in Set(ids).grouped(by: \.zoneID) {
            for ids in ids.chunks(of: Self.mostOperations) {
                let answer = try await post(
                    "records/lookup",
                    [
                        "zoneID": zone.wire, "records": .array(ids.map { ["recordName": .string($0.recordName)] }),
                        "desiredKeys": desiredKeys.map(JSON.init(names:)),
                    ]
                ).body
                let items = try answer.items("records", count: ids.count)
                for (id, item) in zip(ids, items) {
                    results[id] = Result { try received(item, zone, whole: desiredKeys == nil) }
                }
            }
        }
        return results
    }

    func received(_ item: JSON, _ zone: CKRecordZone.ID, whole: Bool) throws -> CKRecord {
        if item["serverErrorCode"] != nil { throw CKError(wire: item) }
        guard let record = CKRecord.received(item, zone: zone, in: self, whole: whole) else {
            throw CKError.unexpected("a record")
        }
        return record
    }
}

extension JSON {
    init(names: [String]) { self = .array(names.map(JSON.string)) }

    /// The array under a key of an answer, which must have `count` elements if given.
    func items(_ key: String, count: Int? = nil) throws -> [JSON] {
        guard let items = self[key]?.array, count == nil || items.count == count else {
            throw CKError.unexpected("its \(key)")
        }
        return items
    }
}
