import CloudModel

/// Tells truth values among INT64 fields, since CloudKit has no type for them.
enum FlagFields {
    /// True for a field that holds 0 or 1 in every record that has it, unless its name counts or measures something.
    static func isFlag(_ name: String, in records: [PageRecord]) -> Bool {
        let fields = records.compactMap { $0.field(name) }
        return !fields.isEmpty && fields.allSatisfy { value(of: $0) != nil } && !isMeasure(name)
    }

    /// Nil for another type or number.
    static func value(of field: PageRecord.Field) -> Bool? {
        guard field.type == "INT64", let number = field.value.integer, number == 0 || number == 1 else { return nil }
        return number == 1
    }

    private static func isMeasure(_ name: String) -> Bool {
        let words = FieldLabel.text(name).lowercased().split(separator: " ")
        return words.last.map(measures.contains) ?? false
    }

    private static let measures: Set<Substring> = [
        "age", "amount", "count", "day", "days", "duration", "height", "hour", "hours", "id", "index", "items", "level",
        "likes", "minutes", "month", "months", "number", "order", "page", "pages", "people", "persons", "photos",
        "pieces", "points", "portions", "position", "price", "priority", "quantity", "rank", "rating", "score",
        "seconds",
        "servings", "size", "stars", "step", "total", "version", "views", "weeks", "weight", "width", "year", "years",
    ]
}
