import Foundation

/// A filter for queries, limited to the server's comparisons.
public struct CKPredicate: Sendable, Hashable {
    /// The filters, all of which must match; nil if no record can match.
    let filters: [JSON]?

    /// Matches all records.
    public static let all = CKPredicate(filters: [])
    /// Matches no record; a query with this predicate sends no request.
    public static let none = CKPredicate(filters: nil)

    static let systemFields = [
        "recordID": "recordName", "creationDate": "createdTimestamp", "modificationDate": "modifiedTimestamp",
        "creatorUserRecordID": "createdUserRecordName", "lastModifiedUserRecordID": "modifiedUserRecordName",
        "parent": "parent", "share": "share",
    ]

    public enum Comparison: String, Sendable {
        case equal = "EQUALS"
        case notEqual = "NOT_EQUALS"
        case less = "LESS_THAN"
        case lessOrEqual = "LESS_THAN_OR_EQUALS"
        case greater = "GREATER_THAN"
        case greaterOrEqual = "GREATER_THAN_OR_EQUALS"
        case `in` = "IN"
        case notIn = "NOT_IN"
        case beginsWith = "BEGINS_WITH"
        case listContains = "LIST_CONTAINS"
        case listLacks = "NOT_LIST_CONTAINS"
        case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
    }

    /// Compares a field with a value.
    public static func field(
        _ key: String, _ comparison: Comparison, _ value: any CKRecordValueProtocol
    ) -> CKPredicate {
        CKPredicate(filters: [filter(key, comparison.rawValue, value.fieldValue)])
    }

    /// Matches records whose location is within a distance in metres.
    public static func near(_ key: String, _ location: CKLocation, within metres: Double) -> CKPredicate {
        CKPredicate(filters: [filter(key, "NEAR", .location(location), distance: metres)])
    }

    /// Matches records with any of the words in a searchable field.
    public static func words(_ words: String) -> CKPredicate {
        CKPredicate(filters: [
            ["comparator": "CONTAINS_ANY_TOKENS", "fieldValue": CKFieldValue.string(words).wire]
        ])
    }

    /// Matches records that satisfy both predicates.
    public func and(_ other: CKPredicate) -> CKPredicate {
        guard let filters, let others = other.filters else { return .none }
        return CKPredicate(filters: filters + others)
    }

    private static func filter(
        _ key: String, _ comparator: String, _ value: CKFieldValue, distance: Double? = nil
    ) -> JSON {
        let system = systemFields[key]
        return .members([
            system == nil ? "fieldName" : "systemFieldName": .string(system ?? key),
            "comparator": .string(comparator), "fieldValue": value.wire, "distance": distance.map(JSON.number),
        ])
    }
}
