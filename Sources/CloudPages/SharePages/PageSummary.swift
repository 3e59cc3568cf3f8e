import CloudAssets
package import CloudHTTP
package import CloudModel
import CloudStore

/// The lines under a page's heading: dates, counts and owner.
struct PageSummary: Sendable {
    var first: Timestamp?
    var last: Timestamp?
    var pictures = 0
    var videos = 0
    var sounds = 0
    var files = 0
    var records = 0
    /// False if the count stopped at a limit.
    var isWhole = true
    var ownerName: String?

    /// Summarizes a share.
    init(_ summary: ShareSummary, ownerName: String?) {
        (first, last, records, isWhole) = (summary.first, summary.last, summary.records, !summary.isCutShort)
        self.ownerName = ownerName
        for (type, count) in summary.files { add(type, count) }
    }

    /// Summarizes one part of a page with public records, without the owner's name.
    init(_ root: PageRecord, files: [PageFile], records: Int, isWhole: Bool) {
        let clocks = files.compactMap { $0.facts?.clock }
        (first, last) = (clocks.min() ?? root.created, clocks.max() ?? root.created)
        (self.records, self.isWhole) = (records, isWhole)
        for file in files { add(file.asset.contentType, 1) }
    }

    private mutating func add(_ type: String, _ count: Int) {
        switch type {
        case _ where ContentType.hasPreview(type): pictures += count
        case _ where ContentType.isVideo(type): videos += count
        case _ where ContentType.isPlayed(type): sounds += count
        default: files += count
        }
    }

    func lines(_ language: PageLanguage) -> [String] {
        let counts = language.list(
            [
                (pictures, "count.photos"), (videos, "count.videos"), (sounds, "count.sounds"), (files, "count.files"),
                (records, "count.records"),
            ].filter { $0.0 > 0 }.map { language.text($0.1, ["count": .number($0.0)]) })
        var lines: [String] = []
        if let first, let last { lines.append(language.dates(first, last)) }
        if !counts.isEmpty {
            lines.append(isWhole ? counts : language.text("count.moreThan", ["counts": .text(counts)]))
        }
        if let ownerName { lines.append(language.text("share.by", ["name": .name(ownerName)])) }
        return lines
    }
}

extension SharedPage {
    /// The lines under the heading: from the rule, otherwise dates, counts and owner.
    ///
    /// - Parameters:
    ///   - files: files in this part of the page.
    ///   - records: number of records without files in this part.
    ///   - isWhole: true if this part is the whole page.
    package func lines(
        _ language: PageLanguage, files: [PageFile], records: Int, isWhole: Bool, limits: Limits
    ) async throws -> [String] {
        switch kind {
        case .published(let root, let rule):
            if rule.lines.isEmpty {
                return PageSummary(root, files: files, records: records, isWhole: isWhole).lines(language)
            }
            return rule.lines.compactMap { line in line.filled { language.shown(root.field($0)) } }
        case .shared(let tree):
            let summary = try await store.sharePages.summary(
                tree.handle, as: tree.viewer, shownItems.map(ShareChoice.named) ?? .all,
                limit: limits.assets.perDownload)
            return PageSummary(summary, ownerName: tree.ownerName).lines(language)
        }
    }
}
