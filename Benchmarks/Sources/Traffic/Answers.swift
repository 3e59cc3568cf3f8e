/// The parts of the wire's answers that loads and checks look at (reference A §2.3, §8.3).
package struct RecordAnswer: Decodable, Sendable {
    package struct Fields: Decodable, Sendable {
        package struct Text: Decodable, Sendable { package let value: String }
        package struct Number: Decodable, Sendable { package let value: Int }
        package struct File: Decodable, Sendable {
            package struct Value: Decodable, Sendable { package let downloadURL: String? }
            package let value: Value
        }
        package let v: Text?
        package let n: Number?
        package let file: File?
    }

    package let recordName: String
    package let recordChangeTag: String?
    package let shortGUID: String?
    package let deleted: Bool?
    package let serverErrorCode: String?
    package let reason: String?
    package let fields: Fields?
}

/// What records/modify, records/lookup and records/query answer.
package struct RecordsAnswer: Decodable, Sendable {
    package let records: [RecordAnswer]
    package let continuationMarker: String?
}

/// What changes/zone answers.
package struct ChangesAnswer: Decodable, Sendable {
    package struct Zone: Decodable, Sendable {
        package let records: [RecordAnswer]?
        package let syncToken: String?
        package let moreComing: Bool?
        package let serverErrorCode: String?
        package let reason: String?
    }

    package let zones: [Zone]
}

/// What records/accept answers.
package struct SharesAnswer: Decodable, Sendable {
    package struct Share: Decodable, Sendable {
        package struct Zone: Decodable, Sendable { package let ownerRecordName: String }
        package let zoneID: Zone?
        package let serverErrorCode: String?
    }

    package let results: [Share]
}

/// What zones/modify answers.
package struct ZonesAnswer: Decodable, Sendable {
    package struct Zone: Decodable, Sendable { package let serverErrorCode: String? }
    package let zones: [Zone]
}
