import CloudHTTP
import CloudModel

/// The lines under a page's heading.
struct PageSummary: Sendable {
    let page: SharedPage
    let totals: PageTotals
    let language: PageLanguage

    /// From the rule, otherwise dates, counts and owner.
    var lines: [String] {
        switch page.kind {
        case .published(let root, let rule) where !rule.lines.isEmpty:
            rule.lines.compactMap { language.filled($0, with: root) }
        case .published: lines(ownerName: nil)
        case .shared(let tree): lines(ownerName: tree.ownerName)
        }
    }

    private func lines(ownerName: String?) -> [String] {
        let counts = language.list(
            [
                (totals.pictures, "count.photos"), (totals.videos, "count.videos"), (totals.sounds, "count.sounds"),
                (totals.files, "count.files"), (totals.records, "count.records"),
            ].filter { $0.0 > 0 }.map { language.text($0.1, ["count": .number($0.0)]) })
        var lines: [String] = []
        if let dates { lines.append(language.dates(dates.lowerBound, dates.upperBound)) }
        if !counts.isEmpty {
            lines.append(totals.isWhole ? counts : language.text("count.moreThan", ["counts": .text(counts)]))
        }
        if let ownerName { lines.append(language.text("share.by", ["name": .name(ownerName)])) }
        return lines
    }

    /// The first and the last date of what stands on the page. The root counts only if it is alone, or on a public page.
    private var dates: ClosedRange<Timestamp>? {
        switch page.kind {
        case .published(let root, _): return Self.union(totals.clocks, totals.rootClocks) ?? root.created...root.created
        case .shared:
            let alone = totals.rootClocks ?? (page.showsRoot ? page.root.map { $0.created...$0.created } : nil)
            return Self.union(totals.clocks, totals.created) ?? alone
        }
    }

    private static func union(
        _ one: ClosedRange<Timestamp>?, _ other: ClosedRange<Timestamp>?
    ) -> ClosedRange<Timestamp>? {
        guard let one, let other else { return one ?? other }
        return min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
    }
}
