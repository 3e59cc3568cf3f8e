import Foundation

extension CKRecord {
    /// A field's value as a plain Swift value; whole numbers are `Int`.
    public subscript(key: FieldKey) -> (any CKRecordValueProtocol)? {
        get { value(of: key)?.plain }
        set { set(key, newValue?.fieldValue) }
    }

    /// A field's typed value; nil for a missing value and for types that do not convert without loss.
    public subscript<Value: CKRecordValueProtocol>(key: FieldKey) -> Value? {
        get { value(of: key).flatMap(Value.init(fieldValue:)) }
        set { set(key, newValue?.fieldValue) }
    }

    /// The same fields, written encrypted. The schema must declare them encrypted.
    public var encryptedValues: EncryptedValues {
        get { EncryptedValues(record: self) }
        set { precondition(newValue.record === self, "The encrypted values of one record are not another's.") }
    }

    public struct EncryptedValues {
        let record: CKRecord

        public subscript<Value: CKRecordValueProtocol>(key: FieldKey) -> Value? {
            get { record[key] }
            nonmutating set {
                record.state.withLock { _ = $0.encrypted.insert(key) }
                record.set(key, newValue?.fieldValue)
            }
        }
    }

    public func value(of key: FieldKey) -> CKFieldValue? { state.withLock { $0.fields[key] } }

    public func set(_ key: FieldKey, _ value: CKFieldValue?) {
        state.withLock { state in
            state.fields[key] = value
            state.changed.insert(key)
        }
    }

    public func allKeys() -> [FieldKey] { state.withLock { $0.fields.keys.sorted() } }

    /// Keys set since the last fetch or save.
    public func changedKeys() -> [FieldKey] { state.withLock { $0.changed.sorted() } }

    /// All fields with their values.
    public var fields: [FieldKey: CKFieldValue] { state.withLock { $0.fields } }
}

extension CKFieldValue {
    /// The plain Swift value, for casts with `as?`.
    var plain: any CKRecordValueProtocol {
        switch self {
        case .string(let text): text
        case .int64(let number): Int(exactly: number).map { $0 as any CKRecordValueProtocol } ?? number
        case .double(let number): number
        case .date(let date): date
        case .data(let data): data
        case .location(let location): location
        case .reference(let reference): reference
        case .asset(let asset): asset
        case .list(let items, let kind): Self.plain(items, kind) ?? items
        case .unknown: self
        }
    }

    private static func plain(_ items: [CKFieldValue], _ kind: Kind) -> (any CKRecordValueProtocol)? {
        let list = CKFieldValue.list(items, of: kind)
        return switch kind {
        case .string: [String](fieldValue: list)
        case .int64: [Int](fieldValue: list)
        case .double: [Double](fieldValue: list)
        case .date: [Date](fieldValue: list)
        case .data: [Data](fieldValue: list)
        case .location: [CKLocation](fieldValue: list)
        case .reference: [CKRecord.Reference](fieldValue: list)
        case .asset: [CKAsset](fieldValue: list)
        case .unknown: nil
        }
    }
}
