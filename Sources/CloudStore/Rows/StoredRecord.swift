import CloudModel
import CloudSQL

/// A live record or a tombstone, in the writer's view.
package struct StoredRecord {
    package let id: Int64
    /// Nil for a tombstone.
    let type: Int64?
    let tag: Int64
    let creator: String?
    let beside: Beside
    let bodySize: Int
    /// The hierarchy share that shows the record, or showed it until its deletion.
    let share: Int64?
    /// The text set of the record's indexed words; nil without words.
    let textSet: Int64?
    /// The stored body; nil if it was not read along.
    let body: RecordBody?

    /// - Parameters:
    ///   - row: id, record_type, tag, creator, beside, length(body), share and text_set.
    ///   - body: the column index of an optional body.
    init(_ row: SQLRow, body: Int? = nil) {
        id = row.integer(0)
        type = row.optionalInteger(1)
        tag = row.integer(2)
        creator = row.optionalText(3)
        beside = Beside(rawValue: row.integer(4))
        bodySize = Int(row.integer(5))
        share = row.optionalInteger(6)
        textSet = row.optionalInteger(7)
        self.body = body.flatMap { row.isNull($0) ? nil : row.record($0) }
    }

    /// Kinds of rows in other tables, so that records without such rows cost nothing there.
    struct Beside: OptionSet {
        let rawValue: Int64

        /// List elements and references.
        static let records = Beside(rawValue: 1)
        static let assets = Beside(rawValue: 2)
        static let locations = Beside(rawValue: 4)
    }
}

/// The parts of a stored body that a change needs: stamps, parent and fields.
struct ParsedBody {
    let recordName: String
    let changeTag: String
    let created: RecordBody.Stamp
    let modified: RecordBody.Stamp
    let parent: String?
    let shortGUID: String?
    /// The name of the share record, if the record is its root.
    let share: String?
    /// Nil for a damaged body.
    private let known: JSONObject?
    var fields: JSONObject { known ?? JSONObject() }
    var isDamaged: Bool { known == nil }

    /// A damaged body's data, salvaged from other tables.
    init(
        recordName: String, changeTag: String, created: RecordBody.Stamp, parent: String?, shortGUID: String?,
        share: String?
    ) {
        (self.recordName, self.changeTag) = (recordName, changeTag)
        (self.created, modified) = (created, created)
        (self.parent, self.shortGUID, self.share) = (parent, shortGUID, share)
        known = nil
    }

    init(_ body: RecordBody) throws {
        guard body.isWhole, let json = try? body.json() else { throw ServerError.damagedRecord }
        recordName = json["recordName"]?.string ?? ""
        changeTag = json["recordChangeTag"]?.string ?? ""
        created = Self.stamp(json["created"])
        modified = Self.stamp(json["modified"])
        parent = json["parent"]?.object?["recordName"]?.string
        shortGUID = json["shortGUID"]?.string
        share = json["share"]?.object?["recordName"]?.string
        known = json["fields"]?.object ?? JSONObject()
    }

    private static func stamp(_ json: JSONValue?) -> RecordBody.Stamp {
        RecordBody.Stamp(
            timestamp: Timestamp(milliseconds: json?.object?["timestamp"]?.integer ?? 0),
            userRecordName: json?.object?["userRecordName"]?.string ?? "",
            deviceID: json?.object?["deviceID"]?.string ?? RecordBody.Stamp.unknownDevice)
    }

    /// The fields with their values as written, without fields that the schema no longer has.
    func values(of type: RecordType, zone: ZoneID) throws -> [RecordContent.Field] {
        let decoder = FieldDecoder(recordType: type.name, zone: zone)
        let position = type.dropped.isEmpty ? 0 : ChangeTag.position(changeTag) ?? 0
        return try fields.members.compactMap { member in
            guard let definition = type.fields[member.key] else { return nil }
            if let dropped = type.dropped[member.key], position <= dropped { return nil }
            var field = try WireField(member)
            // An empty list from before the field got its type, which is not a list type.
            if field.isUntypedList && !definition.type.isList { return nil }
            // A number's type tag from before the field's number type was settled.
            if definition.isPreferredNumber { field = field.untagged }
            guard let value = field.value else { return nil }
            // An empty list from before the field became an encrypted list, without the mark of encryption.
            if field.isUntypedList { return (definition, .list([])) }
            return (definition, try decoder.decode(field, value: value, declared: definition.type).value)
        }
    }

    /// Names of empty lists that the schema lacks.
    func untypedLists(of type: RecordType) -> [String] {
        fields.members.filter { member in
            type.fields[member.key] == nil && (try? WireField(member))?.isUntypedList == true
        }.map(\.key)
    }
}
