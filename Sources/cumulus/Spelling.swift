/// Suggests corrections for misspelt words.
enum Spelling {
    /// The candidate nearest to `word`; nil if no candidate is close enough to suggest.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
        guard let ranked, ranked.1 <= max(2, word.count / 3) else { return nil }
        return ranked.0
    }

    /// The edit distance of two words: insertions, deletions and replacements, ignoring case.
    private static func distance(_ first: String, _ second: String) -> Int {
        let first = Array(first.lowercased())
        let second = Array(second.lowercased())
        var row = Array(0...second.count)
        for (i, left) in first.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, right) in second.enumerated() {
                let replaced = diagonal + (left == right ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
