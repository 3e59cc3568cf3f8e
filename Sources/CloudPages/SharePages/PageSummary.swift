import CloudHTTP
import CloudModel

extension SharedPage {
    /// The lines under the heading: from the rule, otherwise dates, counts and owner.
    func lines(_ language: PageLanguage, _ totals: PageTotals) -> [String] {
        switch kind {
        case .published(let root, let rule) where !rule.lines.isEmpty:
            rule.lines.compactMap { language.filled($0, with: root) }
        case .published: summary(language, totals, ownerName: nil)
        case .shared(let tree): summary(language, totals, ownerName: tree.ownerName)
        }
    }

    private func summary(_ language: PageLanguage, _ totals: PageTotals, ownerName: String?) -> [String] {
        let counts = language.list(
            [
                (totals.pictures, "count.photos"), (totals.videos, "count.videos"), (totals.sounds, "count.sounds"),
                (totals.files, "count.files"), (totals.records, "count.records"),
            ].filter { $0.0 > 0 }.map { language.text($0.1, ["count": .number($0.0)]) })
        var lines: [String] = []
        if let dates = dates(totals) { lines.append(language.dates(dates.lowerBound, dates.upperBound)) }
        if !counts.isEmpty {
            lines.append(totals.isWhole ? counts : language.text("count.moreThan", ["counts": .text(counts)]))
        }
        if let ownerName { lines.append(language.text("share.by", ["name": .name(ownerName)])) }
        return lines
    }
}
