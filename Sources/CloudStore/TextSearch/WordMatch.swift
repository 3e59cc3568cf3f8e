import CloudModel

/// A search as the index of words takes it.
enum WordMatch {
    /// Terms of one search: fields times zones times words.
    private static let mostTerms = 10_000

    /// - Throws: `BAD_REQUEST` when the fields, zones and words together are too many.
    static func text(_ search: ResolvedQuery.Search, zones: [Int64]) throws(ServerError) -> String {
        let terms = search.fields.count * zones.count * search.words.count
        guard terms <= mostTerms else {
            throw .badRequest(
                "a search for \(search.words.count) words in \(search.fields.count) fields and \(zones.count) zones "
                    + "is one for \(terms) terms, at most \(mostTerms) are allowed; name a field or a zone")
        }
        let words = search.words.map { word in
            let places = search.fields.flatMap { field in
                zones.map { "\"\(TextSet.token(word, field: field.id, zone: $0))\"" }
            }
            return "(" + places.joined(separator: " OR ") + ")"
        }
        return words.joined(separator: search.needsAll ? " AND " : " OR ")
    }
}
