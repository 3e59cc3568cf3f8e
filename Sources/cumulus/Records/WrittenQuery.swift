import CloudModel

/// Hand-written filters and sorts, such as `stars > 3` and `title DESC`.
enum WrittenQuery {
    private static let signs: [String: Comparator] = [
        "==": .equals, "=": .equals, "!=": .notEquals, "<": .lessThan, "<=": .lessThanOrEquals, ">": .greaterThan,
        ">=": .greaterThanOrEquals,
    ]
    /// Comparator names of `cktool`.
    private static let otherNames: [String: Comparator] = [
        "LIST_NOT_CONTAINS_ANY": .notListContainsAny, "LIST_NOT_CONTAINS_ALL": .notListContainsAll,
        "LIST_NOT_CONTAINS": .notListContains,
    ]

    static func filter(_ text: String) throws -> JSONValue {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true).map(String.init)
        let name = parts.count == 3 ? parts[1].uppercased() : ""
        guard let comparator = signs[name] ?? Comparator(rawValue: name) ?? otherNames[name] else {
            let names = signs.keys.sorted() + Comparator.allCases.map(\.rawValue)
            throw Complaint(
                "a filter is a field, a comparator and a value, such as 'stars > 3', not '\(text)'; comparators are "
                    + names.joined(separator: " "))
        }
        let written = try WrittenValue(parts[2])
        let isLone = comparator.takesMany && written.value.array == nil && written.type?.hasSuffix("_LIST") != true
        var value = ["value": isLone ? .array([written.value]) : written.value]
        if let type = written.type { value["type"] = .string(isLone ? type + "_LIST" : type) }
        var filter = subject(parts[0])
        filter["comparator"] = .string(comparator.rawValue)
        filter["fieldValue"] = .object(value)
        filter["distance"] = written.distance
        return .object(filter)
    }

    static func sort(_ text: String) throws -> JSONValue {
        let parts = text.split(separator: " ").map(String.init)
        let direction = parts.count == 2 ? parts[1].uppercased() : "ASC"
        guard (1...2).contains(parts.count), ["ASC", "DESC"].contains(direction) else {
            throw Complaint("a sort is a field, with ASC or DESC after it, not '\(text)'")
        }
        var sort = subject(parts[0])
        sort["ascending"] = .bool(direction == "ASC")
        return .object(sort)
    }

    private static func subject(_ name: String) -> [String: JSONValue] {
        [SystemField(systemFieldName: name) == nil ? "fieldName" : "systemFieldName": .string(name)]
    }
}
