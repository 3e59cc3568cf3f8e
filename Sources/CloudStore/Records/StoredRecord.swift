import CloudModel
import GRDB

/// A live record or a tombstone as the writer sees it.
struct StoredRecord {
    let id: Int64
    /// Nil on a tombstone.
    let type: Int64?
    let tag: Int64
    let creator: String?
    let links: Links
    let bodySize: Int
    /// The hierarchy share it is visible through, or was until it was deleted.
    let share: Int64?

    /// What a record has in other tables; most records have nothing, and cost nothing there.
    struct Links: OptionSet {
        let rawValue: Int64

        /// Elements of lists, and references.
        static let records = Links(rawValue: 1)
        static let assets = Links(rawValue: 2)
    }
}

/// What a stored body tells when it is changed: its stamps, its parent and its fields.
struct ParsedBody {
    let created: RecordBody.Stamp
    let parent: String?
    let shortGUID: String?
    /// The name of the share record whose root it is.
    let share: String?
    let fields: JSONObject

    init(_ body: [UInt8]) throws {
        let json = try JSONParser.parse(BodyMarks.removed(body)).object ?? JSONObject()
        let created = json["created"]?.object
        self.created = RecordBody.Stamp(
            timestamp: created?["timestamp"]?.integer ?? 0,
            userRecordName: created?["userRecordName"]?.string ?? "")
        parent = json["parent"]?.object?["recordName"]?.string
        shortGUID = json["shortGUID"]?.string
        share = json["share"]?.object?["recordName"]?.string
        fields = json["fields"]?.object ?? JSONObject()
    }

    /// The fields with their values, as they were written.
    func values(of type: RecordType, zone: ZoneID) throws -> [RecordContent.Field] {
        let decoder = FieldDecoder(recordType: type.name, zone: zone)
        return try fields.members.compactMap { member in
            guard let definition = type.fields[member.key] else { return nil }
            let field = try WireField(member)
            guard let value = field.value else { return nil }
            return (definition, try decoder.decode(field, value: value, declared: definition.type).value)
        }
    }
}
