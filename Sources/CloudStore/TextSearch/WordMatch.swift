import CloudModel

/// Translates a search into terms of the word index.
enum WordMatch {
    /// Limit on terms per search: fields times zones times words.
    private static let mostTerms = 10_000

    /// Up to this number, single lookups are faster than gathering all matching records.
    static let fewTerms = 16

    static func terms(_ search: ResolvedQuery.Search, zones: [Int64]) -> Int {
        search.fields.count * zones.count * search.words.count
    }

    /// - Returns: groups of tokens; a match has a token of every group.
    /// - Throws: `BAD_REQUEST` for too many terms.
    static func groups(_ search: ResolvedQuery.Search, zones: [Int64]) throws(ServerError) -> [[String]] {
        let terms = terms(search, zones: zones)
        guard terms <= mostTerms else {
            let remedies =
                (search.fields.count > 1 ? ["name a field"] : []) + (zones.count > 1 ? ["name a zone"] : [])
                + (search.words.count > 1 ? ["search for fewer words"] : [])
            throw .badRequest(
                "a search for \(search.words.count) words in \(search.fields.count) fields and \(zones.count) zones "
                    + "is one for \(terms) terms, at most \(mostTerms) are allowed; "
                    + Reason(known: remedies.joined(separator: " or ")), .limit(mostTerms))
        }
        let words = search.words.map { word in
            search.fields.flatMap { field in zones.map { TextSet.token(word, field: field.id, zone: $0) } }
        }
        return search.needsAll ? words : [words.flatMap(\.self)]
    }
}
