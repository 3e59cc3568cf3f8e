public import Foundation

/// A field's value with its wire type, so that types are never guessed.
public enum CKFieldValue: Sendable, Hashable {
    case string(String)
    case int64(Int64)
    case double(Double)
    case date(Date)
    case data(Data)
    case location(CKLocation)
    case reference(CKRecord.Reference)
    case asset(CKAsset)
    case list([CKFieldValue], of: Kind)
    /// A value of unknown type, kept and sent back unchanged.
    case unknown(Opaque)

    /// Types of values and list elements, by wire name.
    public enum Kind: String, Sendable, Hashable {
        case string = "STRING"
        case int64 = "INT64"
        case double = "DOUBLE"
        case date = "TIMESTAMP"
        case data = "BYTES"
        case location = "LOCATION"
        case reference = "REFERENCE"
        case asset = "ASSETID"
        case unknown = "UNKNOWN"
    }

    public struct Opaque: Sendable, Hashable {
        let type: String
        let value: JSON
    }

    public var kind: Kind {
        switch self {
        case .string: .string
        case .int64: .int64
        case .double: .double
        case .date: .date
        case .data: .data
        case .location: .location
        case .reference: .reference
        case .asset: .asset
        case .list(_, let kind): kind
        case .unknown: .unknown
        }
    }
}

extension CKFieldValue {
    /// The field's wire form.
    var wire: JSON {
        switch self {
        case .list(let items, .unknown) where items.isEmpty: ["value": []]
        case .list(let items, let kind):
            ["type": .string("\(kind.rawValue)_LIST"), "value": .array(items.map(\.bare))]
        case .unknown(let opaque): ["type": .string(opaque.type), "value": opaque.value]
        default: ["type": .string(kind.rawValue), "value": bare]
        }
    }

    private var bare: JSON {
        switch self {
        case .string(let text): .string(text)
        case .int64(let number): .integer(number)
        case .double(let number): .number(number)
        case .date(let date): .integer(date.wholeMilliseconds)
        case .data(let data): .string(data.base64EncodedString())
        case .location(let location): location.wire
        case .reference(let reference): reference.wire
        case .asset(let asset): asset.wire
        case .list(let items, _): .array(items.map(\.bare))
        case .unknown(let opaque): opaque.value
        }
    }

    /// Reads the field's wire form; nil for a field without a value.
    init?(wire: JSON, zone: CKRecordZone.ID) {
        guard let value = wire["value"] else { return nil }
        let type = wire["type"]?.string ?? ""
        if type.hasSuffix("_LIST"), let items = value.array {
            let kind = Kind(rawValue: String(type.dropLast(5))) ?? .unknown
            let values = items.compactMap { Self.scalar($0, kind, zone) }
            self = values.count == items.count ? .list(values, of: kind) : .unknown(Opaque(type: type, value: value))
        } else {
            self =
                Self.scalar(value, Kind(rawValue: type) ?? .unknown, zone) ?? .unknown(Opaque(type: type, value: value))
        }
    }

    private static func scalar(_ value: JSON, _ kind: Kind, _ zone: CKRecordZone.ID) -> CKFieldValue? {
        switch kind {
        case .string: value.string.map(CKFieldValue.string)
        case .int64: value.int64.map(CKFieldValue.int64)
        case .double: value.double.map(CKFieldValue.double)
        case .date: value.double.map { .date(Date(milliseconds: $0)) }
        case .data: value.string.flatMap { Data(base64Encoded: $0) }.map(CKFieldValue.data)
        case .location: CKLocation(wire: value).map(CKFieldValue.location)
        case .reference: CKRecord.Reference(wire: value, zone: zone).map(CKFieldValue.reference)
        case .asset: CKAsset(wire: value).map(CKFieldValue.asset)
        case .unknown: nil
        }
    }

    /// Whether the server has the same value. Assets compare by checksum.
    func isSame(as other: CKFieldValue) -> Bool {
        switch (self, other) {
        case (.asset(let mine), .asset(let its)): mine.fileChecksum != nil && mine.fileChecksum == its.fileChecksum
        case (.double(let mine), .int64(let its)): mine == Double(its)
        case (.date(let mine), .date(let its)): mine.wholeMilliseconds == its.wholeMilliseconds
        case (.list(let mine, _), .list(let its, _)):
            mine.count == its.count && zip(mine, its).allSatisfy { $0.isSame(as: $1) }
        case (.reference(let mine), .reference(let its)): mine.recordID.recordName == its.recordID.recordName
        default: self == other
        }
    }
}
