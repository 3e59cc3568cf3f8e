extension CKDatabase {
    public func allRecordZones() async throws -> [CKRecordZone] {
        let answer = try await post("zones/list", [:]).body
        return try answer.items("zones").compactMap { CKRecordZone.ID(wire: $0["zoneID"], in: databaseScope) }
            .map(CKRecordZone.init(zoneID:))
    }

    public func recordZone(for id: CKRecordZone.ID) async throws -> CKRecordZone {
        try await only(recordZones(for: [id]))
    }

    public func recordZones(
        for ids: [CKRecordZone.ID]
    ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
        var results: [CKRecordZone.ID: Result<CKRecordZone, any Error>] = [:]
        for ids in Set(ids).chunks(of: Self.mostOperations) {
            let answer = try await post("zones/lookup", ["zones": .array(ids.map(\.wire))]).body
            for (id, item) in zip(ids, try answer.items("zones", count: ids.count)) {
                results[id] = Result { try zone(item, id) }
            }
        }
        return results
    }

    @discardableResult
    public func save(_ zone: CKRecordZone) async throws -> CKRecordZone {
        try await only(modifyRecordZones(saving: [zone], deleting: []).saveResults)
    }

    @discardableResult
    public func deleteRecordZone(withID id: CKRecordZone.ID) async throws -> CKRecordZone.ID {
        let results = try await modifyRecordZones(saving: [], deleting: [id]).deleteResults
        try only(results)
        return id
    }

    /// Creates zones, except existing zones, and deletes zones with their contents.
    public func modifyRecordZones(
        saving zones: [CKRecordZone], deleting ids: [CKRecordZone.ID]
    ) async throws -> (
        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
    ) {
        var saves: [CKRecordZone.ID: Result<CKRecordZone, any Error>] = [:]
        var deletes: [CKRecordZone.ID: Result<Void, any Error>] = [:]
        let operations = zones.map { ($0.zoneID, true) } + ids.map { ($0, false) }
        for batch in operations.chunks(of: Self.mostOperations) {
            let answer = try await post(
                "zones/modify",
                [
                    "operations": .array(
                        batch.map { id, isSave in
                            ["operationType": isSave ? "create" : "delete", "zone": ["zoneID": id.wire]]
                        })
                ]
            ).body
            for ((id, isSave), item) in zip(batch, try answer.items("zones", count: batch.count)) {
                let result = Result { try zone(item, id) as CKRecordZone }
                if isSave { saves[id] = result } else { deletes[id] = result.map { _ in } }
            }
        }
        return (saves, deletes)
    }

    private func zone(_ item: JSON, _ id: CKRecordZone.ID) throws -> CKRecordZone {
        if item["serverErrorCode"] != nil { throw CKError(wire: item) }
        return CKRecordZone(zoneID: id)
    }
}
