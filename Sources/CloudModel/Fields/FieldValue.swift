/// The value of a field: a scalar or a list of scalars. A record leaves out fields without a value.
package enum FieldValue: Hashable, Sendable {
    case one(Scalar)
    case list([Scalar])
}

/// A single value, checked and in its canonical form (reference A §3.2).
package enum Scalar: Hashable, Sendable {
    case string(String)
    case int64(Int64)
    case double(Double)
    case timestamp(Timestamp)
    /// Standard base64, padded.
    case bytes(String)
    case location(Location)
    case reference(RecordReference)
    case asset(Asset)
}

/// A position on Earth with further details from the device (reference A §3.7).
package struct Location: Hashable, Sendable {
    /// Degrees, -90…90.
    package let latitude: Double
    /// Degrees, -180…180.
    package let longitude: Double
    /// `horizontalAccuracy`, `verticalAccuracy`, `altitude` in metres, `speed` in m/s, `course` in degrees, as given.
    package let details: [JSONObject.Member]
    package let timestamp: Timestamp?

    package static let detailNames = ["horizontalAccuracy", "verticalAccuracy", "altitude", "speed", "course"]
}

/// A pointer to another record (reference A §3.8).
package struct RecordReference: Hashable, Sendable {
    package enum Action: String, CaseIterable, Sendable {
        case none = "NONE"
        case deleteSelf = "DELETE_SELF"
        case validate = "VALIDATE"
    }

    package let recordName: String
    package let action: Action
    /// The target's zone; nil for the zone of the referring record.
    package let zone: ZoneID?
}

extension Scalar {
    /// The value's indexed form, for comparisons; nil for kinds that queries do not support.
    package var key: IndexKey? {
        switch self {
        case .string(let string): .text(string)
        case .int64(let integer): .integer(integer)
        case .timestamp(let timestamp): .integer(timestamp.milliseconds)
        case .double(let double): .real(double)
        case .reference(let reference): .text(reference.key)
        case .bytes, .location, .asset: nil
        }
    }
}

/// An indexed value. Integers and reals compare as numbers, text by its UTF-8 bytes.
package enum IndexKey: Hashable, Sendable {
    case integer(Int64)
    case real(Double)
    case text(String)
}

extension RecordReference {
    /// The target's name, plus zone and owner if the target is in another zone.
    package var key: String {
        guard let zone else { return recordName }
        return "\(recordName)\u{1}\(zone.name)\u{1}\(zone.owner)"
    }
}
