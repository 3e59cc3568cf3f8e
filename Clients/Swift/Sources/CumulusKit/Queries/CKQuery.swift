/// A query for records of a type, with a filter and sort order.
public struct CKQuery: Sendable {
    public struct SortDescriptor: Sendable, Hashable {
        let key: String
        let ascending: Bool
        let location: CKLocation?

        public init(key: String, ascending: Bool = true) {
            self.key = key
            self.ascending = ascending
            location = nil
        }

        /// Sorts by the distance of a location field, nearest first.
        public static func distance(of key: String, from location: CKLocation) -> SortDescriptor {
            SortDescriptor(key: key, location: location)
        }

        private init(key: String, location: CKLocation) {
            self.key = key
            self.location = location
            ascending = true
        }

        var wire: JSON {
            .members([
                CKPredicate.systemFields[key] == nil ? "fieldName" : "systemFieldName": .string(
                    CKPredicate.systemFields[key] ?? key),
                "ascending": .bool(ascending), "relativeLocation": location.map { CKFieldValue.location($0).wire },
            ])
        }
    }

    public var recordType: CKRecord.RecordType
    public var predicate: CKPredicate
    public var sortDescriptors: [SortDescriptor]

    public init(
        recordType: CKRecord.RecordType, predicate: CKPredicate = .all, sortDescriptors: [SortDescriptor] = []
    ) {
        self.recordType = recordType
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
    }

    var wire: JSON {
        .members([
            "recordType": .string(recordType), "filterBy": .array(predicate.filters ?? []),
            "sortBy": sortDescriptors.isEmpty ? nil : .array(sortDescriptors.map(\.wire)),
        ])
    }
}

extension CKQuery {
    /// The position of a query's next page.
    public struct Cursor: Sendable, Codable {
        let query: JSON
        let zone: CKRecordZone.ID?
        let desiredKeys: [CKRecord.FieldKey]?
        let marker: String
    }
}

extension CKDatabase {
    public typealias QueryPage = (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQuery.Cursor?
    )

    /// The first page of query results.
    ///
    /// - Parameter zoneID: nil for all zones.
    public func records(
        matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int? = nil
    ) async throws -> QueryPage {
        guard query.predicate.filters != nil else { return ([], nil) }
        return try await page(query.wire, zoneID, desiredKeys, resultsLimit, nil)
    }

    public func records(
        continuingMatchFrom cursor: CKQuery.Cursor, resultsLimit: Int? = nil
    ) async throws -> QueryPage {
        try await page(cursor.query, cursor.zone, cursor.desiredKeys, resultsLimit, cursor.marker)
    }

    private func page(
        _ query: JSON, _ zone: CKRecordZone.ID?, _ keys: [String]?, _ limit: Int?, _ marker: String?
    ) async throws -> QueryPage {
        let answer = try await post(
            "records/query",
            [
                "query": query, "zoneID": zone?.wire, "zoneWide": zone == nil ? true : nil,
                "desiredKeys": keys.map(JSON.init(names:)), "resultsLimit": limit.map { .integer(Int64($0)) },
                "continuationMarker": marker.map(JSON.string),
            ]
        ).body
        let results: [(CKRecord.ID, Result<CKRecord, any Error>)] = try answer.items("records").compactMap { item in
            guard let name = item["recordName"]?.string else { return nil }
            let home = CKRecordZone.ID(wire: item["zoneID"], in: databaseScope) ?? zone ?? .default
            let result = Result { try received(item, home, whole: keys == nil) }
            return (CKRecord.ID(recordName: name, zoneID: home), result)
        }
        let cursor = (answer["continuationMarker"]?.string).map {
            CKQuery.Cursor(query: query, zone: zone, desiredKeys: keys, marker: $0)
        }
        return (results, cursor)
    }
}
