public import CumulusKit

/// A shopping list in a private database.
public actor ShoppingList {
    private let database: CKDatabase
    private let zone = CKRecordZone.ID(zoneName: "Shopping")
    private var titles: [CKRecord.ID: String] = [:]
    private var token: CKServerChangeToken?

    public init(_ container: CKContainer) { database = container.privateCloudDatabase }

    public func add(_ title: String) async throws {
        try await database.save(item(title))
    }

    /// Adds what it can.
    ///
    /// - Returns: the titles that were refused.
    public func add(_ titles: [String]) async throws -> [String] {
        let items = titles.map(item)
        let results = try await database.modifyRecords(saving: items, deleting: [], atomically: false).saveResults
        return zip(titles, items).compactMap { title, item in
            if case .failure? = results[item.recordID] { title } else { nil }
        }
    }

    public func remove(_ title: String) async throws {
        try await database.deleteRecord(withID: id(title))
    }

    /// Brings what has changed since the last time.
    ///
    /// - Returns: all titles, sorted.
    public func refresh() async throws -> [String] {
        var moreComing = true
        while moreComing {
            do {
                let page = try await database.recordZoneChanges(inZoneWith: zone, since: token)
                for (id, result) in page.modificationResultsByID { titles[id] = try result.get().record["title"] }
                for deletion in page.deletions { titles[deletion.recordID] = nil }
                (token, moreComing) = (page.changeToken, page.moreComing)
            } catch let error as CKError where error.code == .changeTokenExpired {
                (token, titles) = (nil, [:])
            }
        }
        return titles.values.sorted()
    }

    private func item(_ title: String) -> CKRecord {
        let item = CKRecord(recordType: "Item", recordID: id(title))
        item["title"] = title
        return item
    }

    private func id(_ title: String) -> CKRecord.ID { CKRecord.ID(recordName: title.lowercased(), zoneID: zone) }
}
