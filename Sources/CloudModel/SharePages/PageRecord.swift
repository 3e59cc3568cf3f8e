/// A stored record as read by a page: its names and its typed fields.
package struct PageRecord: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package let name: String
        /// `STRING`, `TIMESTAMP`, `ASSETID_LIST`, … (reference A §3.2).
        package let type: String
        package let value: JSONValue
    }

    package let recordName: String
    package let recordType: String
    package let parent: String?
    /// The creator's user record name.
    package let creator: String
    package let created: Timestamp
    package private(set) var fields: [Field]

    /// - Parameter body: a stored or displayed body.
    /// - Throws: ``JSONParser/Failure`` if the body is not JSON, a sign of a damaged database.
    package init(_ body: RecordBody) throws(JSONParser.Failure) {
        let json = try body.json()
        recordName = json["recordName"]?.string ?? ""
        recordType = json["recordType"]?.string ?? ""
        parent = json["parent"]?.object?["recordName"]?.string
        creator = json["created"]?.object?["userRecordName"]?.string ?? ""
        created = Timestamp(milliseconds: json["created"]?.object?["timestamp"]?.integer ?? 0)
        fields = (json["fields"]?.object?.members ?? []).compactMap { member in
            guard let wrapper = member.value.object, let value = wrapper["value"] else { return nil }
            return Field(name: member.key, type: wrapper["type"]?.string ?? "", value: value)
        }
    }

    /// The record without its fields of places.
    package func withoutPlaces() -> PageRecord {
        var record = self
        record.fields.removeAll { $0.type == "LOCATION" || $0.type == "LOCATION_LIST" }
        return record
    }

    package func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    /// The files in a field, in order; empty for fields of other types.
    package func assets(_ name: String) -> [AssetKey] { field(name)?.assets ?? [] }
}

extension PageRecord.Field {
    package var assets: [AssetKey] {
        switch type {
        case "ASSETID": [Self.key(value)].compactMap(\.self)
        case "ASSETID_LIST": (value.array ?? []).compactMap(Self.key)
        default: []
        }
    }

    private static func key(_ value: JSONValue) -> AssetKey? {
        value.object?["fileChecksum"]?.string.flatMap(AssetKey.init)
    }
}
