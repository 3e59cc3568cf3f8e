/// The comparators of a filter (reference A §5.3).
package enum Comparator: String, CaseIterable, Hashable, Sendable {
    case equals = "EQUALS"
    case notEquals = "NOT_EQUALS"
    case lessThan = "LESS_THAN"
    case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
    case `in` = "IN"
    case notIn = "NOT_IN"
    case beginsWith = "BEGINS_WITH"
    case notBeginsWith = "NOT_BEGINS_WITH"
    case listContains = "LIST_CONTAINS"
    case notListContains = "NOT_LIST_CONTAINS"
    case listContainsAll = "LIST_CONTAINS_ALL"
    case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
    case listContainsAny = "LIST_CONTAINS_ANY"
    case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
    case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
    case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
    case containsAllTokens = "CONTAINS_ALL_TOKENS"
    case containsAnyTokens = "CONTAINS_ANY_TOKENS"
    case near = "NEAR"

    package var appliesToLists: Bool {
        switch self {
        case .listContains, .notListContains, .listContainsAll, .notListContainsAll, .listContainsAny,
            .notListContainsAny, .listMemberBeginsWith, .notListMemberBeginsWith:
            true
        default: false
        }
    }

    package var isPrefix: Bool {
        switch self {
        case .beginsWith, .notBeginsWith, .listMemberBeginsWith, .notListMemberBeginsWith: true
        default: false
        }
    }

    /// True if the comparator searches the words of texts.
    package var isTextSearch: Bool { self == .containsAllTokens || self == .containsAnyTokens }

    /// True if the operand is an array.
    package var takesMany: Bool {
        switch self {
        case .in, .notIn, .listContainsAll, .notListContainsAll, .listContainsAny, .notListContainsAny: true
        default: false
        }
    }

    /// Sufficient indexes, any of which serves the comparator; range comparators accept either index (reference A §5.6).
    package var indexes: Set<IndexKind> {
        switch self {
        case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals, .beginsWith, .notBeginsWith:
            [.queryable, .sortable]
        case .containsAllTokens, .containsAnyTokens: [.searchable]
        default: [.queryable]
        }
    }
}
