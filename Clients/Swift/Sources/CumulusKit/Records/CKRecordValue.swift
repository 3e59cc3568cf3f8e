public import Foundation

/// A Swift type for field values.
public protocol CKRecordValueProtocol: Sendable {
    var fieldValue: CKFieldValue { get }
    /// Nil for a field value that does not convert without loss.
    init?(fieldValue: CKFieldValue)
    /// The element kind for lists, needed for empty lists.
    static var fieldKind: CKFieldValue.Kind { get }
}

extension CKFieldValue: CKRecordValueProtocol {
    public var fieldValue: CKFieldValue { self }
    public init?(fieldValue: CKFieldValue) { self = fieldValue }
    public static var fieldKind: Kind { .unknown }
}

extension String: CKRecordValueProtocol {
    public var fieldValue: CKFieldValue { .string(self) }
    public init?(fieldValue: CKFieldValue) {
        guard case .string(let text) = fieldValue else { return nil }
        self = text
    }
    public static var fieldKind: CKFieldValue.Kind { .string }
}

/// Converts whole numbers, including doubles without a fraction.
extension CKRecordValueProtocol where Self: FixedWidthInteger {
    public var fieldValue: CKFieldValue { .int64(Int64(clamping: self)) }
    public init?(fieldValue: CKFieldValue) {
        switch fieldValue {
        case .int64(let number): self.init(exactly: number)
        case .double(let number): self.init(exactly: number)
        default: return nil
        }
    }
    public static var fieldKind: CKFieldValue.Kind { .int64 }
}

extension Int: CKRecordValueProtocol {}
extension Int8: CKRecordValueProtocol {}
extension Int16: CKRecordValueProtocol {}
extension Int32: CKRecordValueProtocol {}
extension Int64: CKRecordValueProtocol {}

/// Stored as 0 or 1.
extension Bool: CKRecordValueProtocol {
    public var fieldValue: CKFieldValue { .int64(self ? 1 : 0) }
    public init?(fieldValue: CKFieldValue) {
        guard case .int64(let number) = fieldValue else { return nil }
        self = number != 0
    }
    public static var fieldKind: CKFieldValue.Kind { .int64 }
}

extension Double: CKRecordValueProtocol {
    public var fieldValue: CKFieldValue { .double(self) }
    public init?(fieldValue: CKFieldValue) {
        switch fieldValue {
        case .double(let number): self = number
        case .int64(let number): self.init(exactly: number)
        default: return nil
        }
    }
    public static var fieldKind: CKFieldValue.Kind { .double }
}

extension Float: CKRecordValueProtocol {
    public var fieldValue: CKFieldValue { .double(Double(self)) }
    public init?(fieldValue: CKFieldValue) {
        guard let number = Double(fieldValue: fieldValue) else { return nil }
        self = Float(number)
    }
    public static var fieldKind: CKFieldValue.Kind { .double }
}

extension Date: CKRecordValueProtocol {
    public var fieldValue: CKFieldValue { .date(Date(milliseconds: Double(wholeMilliseconds))) }
    public init?(fieldValue: CKFieldValue) {
        guard case .date(let date) = fieldValue else { return nil }
        self = date
    }
    public static var fieldKind: CKFieldValue.Kind { .date }
}

extension Data: CKRecordValueProtocol {
    public var fieldValue: CKFieldValue { .data(self) }
    public init?(fieldValue: CKFieldValue) {
        guard case .data(let data) = fieldValue else { return nil }
        self = data
    }
    public static var fieldKind: CKFieldValue.Kind { .data }
}

extension CKLocation: CKRecordValueProtocol {
    public var fieldValue: CKFieldValue { .location(self) }
    public init?(fieldValue: CKFieldValue) {
        guard case .location(let location) = fieldValue else { return nil }
        self = location
    }
    public static var fieldKind: CKFieldValue.Kind { .location }
}

extension CKRecord.Reference: CKRecordValueProtocol {
    public var fieldValue: CKFieldValue { .reference(self) }
    public init?(fieldValue: CKFieldValue) {
        guard case .reference(let reference) = fieldValue else { return nil }
        self = reference
    }
    public static var fieldKind: CKFieldValue.Kind { .reference }
}

extension Array: CKRecordValueProtocol where Element: CKRecordValueProtocol {
    public var fieldValue: CKFieldValue {
        .list(
            map(\.fieldValue),
            of: Element.fieldKind == .unknown ? first?.fieldValue.kind ?? .unknown : Element.fieldKind)
    }
    public init?(fieldValue: CKFieldValue) {
        guard case .list(let items, _) = fieldValue else { return nil }
        let values = items.compactMap(Element.init(fieldValue:))
        guard values.count == items.count else { return nil }
        self = values
    }
    public static var fieldKind: CKFieldValue.Kind { .unknown }
}
