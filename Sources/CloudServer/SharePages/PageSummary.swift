import CloudAssets
import CloudModel
import CloudStore

/// The lines under the heading of a page: when its content was made, how much it is, and whose.
struct PageSummary: Sendable {
    var first: Timestamp?
    var last: Timestamp?
    var pictures = 0
    var videos = 0
    var sounds = 0
    var files = 0
    var records = 0
    /// True if everything was counted.
    var isWhole = true
    var ownerName: String?

    /// Sums up what a page shows of a share.
    init(_ summary: ShareSummary, ownerName: String?) {
        (first, last, records, isWhole) = (summary.first, summary.last, summary.records, !summary.isCutShort)
        self.ownerName = ownerName
        for (type, count) in summary.files { add(type, count) }
    }

    /// Sums up what a part of a page shows of public records. The rule says whose they are.
    init(_ root: PageRecord, files: [PageFile], records: Int, isWhole: Bool) {
        (first, last) = (root.created, root.created)
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
        let counts = [
            (pictures, "photo"), (videos, "video"), (sounds, "sound"), (files, "file"), (records, "record"),
        ].filter { $0.0 > 0 }.map { language.count($0.0, $0.1) }.joined(separator: ", ")
        var lines: [String] = []
        if let first, let last { lines.append(language.dates(first, last)) }
        if !counts.isEmpty { lines.append((isWhole ? "" : "More than ") + counts) }
        if let ownerName { lines.append("Shared by \(ownerName)") }
        return lines
    }
}

extension SharedPage {
    /// The lines under the heading: those of the rule, else when, how much and whose.
    ///
    /// - Parameters:
    ///   - files: those of the part at hand.
    ///   - records: how many records without files are on it.
    ///   - isWhole: whether it is all there is.
    func lines(
        _ language: PageLanguage, files: [PageFile], records: Int, isWhole: Bool, limits: Limits
    ) async throws -> [String] {
        switch kind {
        case .published(let root, let rule):
            if rule.lines.isEmpty {
                return PageSummary(root, files: files, records: records, isWhole: isWhole).lines(language)
            }
            return rule.lines.compactMap { line in line.filled { language.shown(root.field($0)) } }
        case .shared(let tree):
            let summary = try await store.shareSummary(
                tree.handle, as: tree.viewer, shownItems.map(ShareChoice.named) ?? .all, limit: limits.filesPerDownload)
            return PageSummary(summary, ownerName: tree.ownerName).lines(language)
        }
    }
}
