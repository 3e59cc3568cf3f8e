// Made by: cumulus schema types --schema every-kind.ckdb --language swift
// swift-format-ignore-file
import CumulusKit
import Foundation

/// A record of type `Date`.
struct DateRecord {
    static let recordType: CKRecord.RecordType = "Date"
    let record: CKRecord

    /// A new record.
    init(recordID: CKRecord.ID = CKRecord.ID()) {
        record = CKRecord(recordType: Self.recordType, recordID: recordID)
    }

    /// Nil for a record of another type.
    init?(_ record: CKRecord) {
        guard record.recordType == Self.recordType else { return nil }
        self.record = record
    }

    var Date: Date? {
        get { record["Date"] }
        nonmutating set { record["Date"] = newValue }
    }
}

/// A record of type `EveryKind`.
struct EveryKind {
    static let recordType: CKRecord.RecordType = "EveryKind"
    let record: CKRecord

    /// A new record.
    init(recordID: CKRecord.ID = CKRecord.ID()) {
        record = CKRecord(recordType: Self.recordType, recordID: recordID)
    }

    /// Nil for a record of another type.
    init?(_ record: CKRecord) {
        guard record.recordType == Self.recordType else { return nil }
        self.record = record
    }

    var asset: CKAsset? {
        get { record["asset"] }
        nonmutating set { record["asset"] = newValue }
    }

    var assets: [CKAsset]? {
        get { record["assets"] }
        nonmutating set { record["assets"] = newValue }
    }

    var bytes: Data? {
        get { record["bytes"] }
        nonmutating set { record["bytes"] = newValue }
    }

    var bytesList: [Data]? {
        get { record["bytesList"] }
        nonmutating set { record["bytesList"] = newValue }
    }

    var double: Double? {
        get { record["double"] }
        nonmutating set { record["double"] = newValue }
    }

    var doubles: [Double]? {
        get { record["doubles"] }
        nonmutating set { record["doubles"] = newValue }
    }

    var int64: Int64? {
        get { record["int64"] }
        nonmutating set { record["int64"] = newValue }
    }

    var int64s: [Int64]? {
        get { record["int64s"] }
        nonmutating set { record["int64s"] = newValue }
    }

    var location: CKLocation? {
        get { record["location"] }
        nonmutating set { record["location"] = newValue }
    }

    var locations: [CKLocation]? {
        get { record["locations"] }
        nonmutating set { record["locations"] = newValue }
    }

    var number: Double? {
        get { record["number"] }
        nonmutating set { record["number"] = newValue }
    }

    var numbers: [Double]? {
        get { record["numbers"] }
        nonmutating set { record["numbers"] = newValue }
    }

    var reference: CKRecord.Reference? {
        get { record["reference"] }
        nonmutating set { record["reference"] = newValue }
    }

    var references: [CKRecord.Reference]? {
        get { record["references"] }
        nonmutating set { record["references"] = newValue }
    }

    var secretBytes: Data? {
        get { record.encryptedValues["secretBytes"] }
        nonmutating set { record.encryptedValues["secretBytes"] = newValue }
    }

    var secretDate: Date? {
        get { record.encryptedValues["secretDate"] }
        nonmutating set { record.encryptedValues["secretDate"] = newValue }
    }

    var secretDouble: Double? {
        get { record.encryptedValues["secretDouble"] }
        nonmutating set { record.encryptedValues["secretDouble"] = newValue }
    }

    var secretInt64: Int64? {
        get { record.encryptedValues["secretInt64"] }
        nonmutating set { record.encryptedValues["secretInt64"] = newValue }
    }

    var secretLocation: CKLocation? {
        get { record.encryptedValues["secretLocation"] }
        nonmutating set { record.encryptedValues["secretLocation"] = newValue }
    }

    var secretString: String? {
        get { record.encryptedValues["secretString"] }
        nonmutating set { record.encryptedValues["secretString"] = newValue }
    }

    var secretStrings: [String]? {
        get { record.encryptedValues["secretStrings"] }
        nonmutating set { record.encryptedValues["secretStrings"] = newValue }
    }

    var settled: Int64? {
        get { record["settled"] }
        nonmutating set { record["settled"] = newValue }
    }

    var string: String? {
        get { record["string"] }
        nonmutating set { record["string"] = newValue }
    }

    var strings: [String]? {
        get { record["strings"] }
        nonmutating set { record["strings"] = newValue }
    }

    var timestamp: Date? {
        get { record["timestamp"] }
        nonmutating set { record["timestamp"] = newValue }
    }

    var timestamps: [Date]? {
        get { record["timestamps"] }
        nonmutating set { record["timestamps"] = newValue }
    }
}

/// A record of type `Users`.
struct Users {
    static let recordType: CKRecord.RecordType = "Users"
    let record: CKRecord

    /// Nil for a record of another type.
    init?(_ record: CKRecord) {
        guard record.recordType == Self.recordType else { return nil }
        self.record = record
    }

    var nickname: String? {
        get { record["nickname"] }
        nonmutating set { record["nickname"] = newValue }
    }

    var roles: [Int64]? {
        get { record["roles"] }
        nonmutating set { record["roles"] = newValue }
    }
}

/// A record of type `a-b.c`.
struct a_b_c_2 {
    static let recordType: CKRecord.RecordType = "a-b.c"
    let record: CKRecord

    /// A new record.
    init(recordID: CKRecord.ID = CKRecord.ID()) {
        record = CKRecord(recordType: Self.recordType, recordID: recordID)
    }

    /// Nil for a record of another type.
    init?(_ record: CKRecord) {
        guard record.recordType == Self.recordType else { return nil }
        self.record = record
    }

    var a: String? {
        get { record["a"] }
        nonmutating set { record["a"] = newValue }
    }
}

/// A record of type `a_b_c`.
struct a_b_c {
    static let recordType: CKRecord.RecordType = "a_b_c"
    let record: CKRecord

    /// A new record.
    init(recordID: CKRecord.ID = CKRecord.ID()) {
        record = CKRecord(recordType: Self.recordType, recordID: recordID)
    }

    /// Nil for a record of another type.
    init?(_ record: CKRecord) {
        guard record.recordType == Self.recordType else { return nil }
        self.record = record
    }

    var a: String? {
        get { record["a"] }
        nonmutating set { record["a"] = newValue }
    }
}

/// A record of type `class`.
struct classRecord {
    static let recordType: CKRecord.RecordType = "class"
    let record: CKRecord

    /// A new record.
    init(recordID: CKRecord.ID = CKRecord.ID()) {
        record = CKRecord(recordType: Self.recordType, recordID: recordID)
    }

    /// Nil for a record of another type.
    init?(_ record: CKRecord) {
        guard record.recordType == Self.recordType else { return nil }
        self.record = record
    }

    var `Any`: String? {
        get { record["Any"] }
        nonmutating set { record["Any"] = newValue }
    }

    var `Protocol`: String? {
        get { record["Protocol"] }
        nonmutating set { record["Protocol"] = newValue }
    }

    var SelfField: String? {
        get { record["Self"] }
        nonmutating set { record["Self"] = newValue }
    }

    var String: String? {
        get { record["String"] }
        nonmutating set { record["String"] = newValue }
    }

    var `Type`: String? {
        get { record["Type"] }
        nonmutating set { record["Type"] = newValue }
    }

    var constructor: String? {
        get { record["constructor"] }
        nonmutating set { record["constructor"] = newValue }
    }

    var `default`: String? {
        get { record["default"] }
        nonmutating set { record["default"] = newValue }
    }

    var description: String? {
        get { record["description"] }
        nonmutating set { record["description"] = newValue }
    }

    var `func`: String? {
        get { record["func"] }
        nonmutating set { record["func"] = newValue }
    }

    var hasOwnProperty: Int64? {
        get { record["hasOwnProperty"] }
        nonmutating set { record["hasOwnProperty"] = newValue }
    }

    var `init`: String? {
        get { record["init"] }
        nonmutating set { record["init"] = newValue }
    }

    var `let`: String? {
        get { record["let"] }
        nonmutating set { record["let"] = newValue }
    }

    var newValue: String? {
        get { record["newValue"] }
        nonmutating set { record["newValue"] = newValue }
    }

    var `nil`: String? {
        get { record["nil"] }
        nonmutating set { record["nil"] = newValue }
    }

    var recordField: String? {
        get { record["record"] }
        nonmutating set { record["record"] = newValue }
    }

    var recordType: String? {
        get { record["recordType"] }
        nonmutating set { record["recordType"] = newValue }
    }

    var `self`: String? {
        get { record["self"] }
        nonmutating set { record["self"] = newValue }
    }

    var toString: String? {
        get { record["toString"] }
        nonmutating set { record["toString"] = newValue }
    }

    var `var`: String? {
        get { record["var"] }
        nonmutating set { record["var"] = newValue }
    }

    var `while`: String? {
        get { record["while"] }
        nonmutating set { record["while"] = newValue }
    }
}

/// A record of type `cloudkit.share`.
struct CloudKitShare {
    static let recordType: CKRecord.RecordType = "cloudkit.share"
    let record: CKRecord

    /// Nil for a record of another type.
    init?(_ record: CKRecord) {
        guard record.recordType == Self.recordType else { return nil }
        self.record = record
    }

    var thumbnailImageData: Data? {
        get { record["cloudkit.thumbnailImageData"] }
        nonmutating set { record["cloudkit.thumbnailImageData"] = newValue }
    }

    var title: String? {
        get { record["cloudkit.title"] }
        nonmutating set { record["cloudkit.title"] = newValue }
    }

    var type: String? {
        get { record["cloudkit.type"] }
        nonmutating set { record["cloudkit.type"] = newValue }
    }
}
