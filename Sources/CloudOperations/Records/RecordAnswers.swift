import CloudAccounts
package import CloudModel
package import CloudStore

/// A user with private records.
package struct OwnerInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminOwner", "A user with private records.",
        [
            "email": "Left out for a deleted or disabled account."
        ])

    package let userRecordName: String
    /// Nil for a deleted or disabled account.
    package let email: String?
    package let records: Int64
    package let bytes: Int64

    init(_ owner: StoredOwner, _ person: DirectoryEntry?) {
        userRecordName = owner.userRecordName
        email = person?.email
        records = owner.usage.records
        bytes = owner.usage.bytes
    }
}

package struct ZoneInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminZone", "A zone.")

    package let zone: String
    package let ownerRecordName: String
}

/// A record type and its number of records in a zone.
package struct TypeInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminTypeCount", "A record type and its number of records in a zone.",
        [
            "isCut": "Whether counting stopped at its limit."
        ])

    package let recordType: String
    package let count: Int
    /// Whether counting stopped at its limit.
    package let isCut: Bool

    package init(recordType: String, count: Int, isCut: Bool) {
        self.recordType = recordType
        self.count = count
        self.isCut = isCut
    }
}

/// A page of records in the form of API responses.
package struct RecordList: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminRecords", "A page of records in the form of API responses.")

    package let records: [JSONValue]
    package let next: String?

    package init(records: [JSONValue], next: String?) {
        self.records = records
        self.next = next
    }
}

/// The results of a change, in operation order.
package struct ModifiedRecords: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminModified", "The results of a change, in operation order.")

    package let records: [JSONValue]

    package init(records: [JSONValue]) { self.records = records }
}

package struct UploadInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        nil, "",
        [
            "url": "Accepts a single upload and answers with the receipt."
        ])

    /// Accepts a single upload and answers with the receipt.
    package let url: String
}

package struct RecordInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminRecord", "A record with its surroundings.",
        [
            "referrers": "Referring records, at most 100.",
            "goesAlong": "Names of the records deleted in cascade, at most 100.",
            "laterChanges":
                "The number of records in the zone changed later, counted to 100; left out in a zone without a feed.",
            "share": "The share that contains the record.",
            "assets": "Assets of the record's fields, at most 100, with the pixels of pictures.",
        ])

    package let record: JSONValue
    /// Referring records, at most 100.
    package let referrers: [ReferrerInfo]
    /// Names of the records deleted in cascade, at most 100.
    package let goesAlong: [String]
    /// The number of records in the zone changed later, counted to 100; nil in a zone without a feed.
    package let laterChanges: Int?
    /// The share that contains the record.
    package let share: ShareInfo?
    /// Assets of the record's fields, at most 100.
    package let assets: [AssetInfo]
}

/// An asset in a record's field.
package struct AssetInfo: Codable, Hashable, Sendable {
    package let fileChecksum: String
    package let contentType: String
    /// Pixels of a picture, if its header declares a size.
    package let width: Int?
    package let height: Int?
}

package struct ReferrerInfo: Codable, Hashable, Sendable {
    package let recordName: String
    package let recordType: String
    package let kind: StoredReferrer.Kind

    init(_ referrer: StoredReferrer) {
        recordName = referrer.recordName
        recordType = referrer.recordType
        kind = referrer.kind
    }
}
