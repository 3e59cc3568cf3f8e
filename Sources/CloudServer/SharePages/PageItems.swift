import CloudModel
import CloudStore

extension SharedPage {
    /// Records on one server-rendered part of a page.
    static let itemsPerPart = 100

    /// The records after the page's own, one part of them: those this visitor is shown.
    ///
    /// - Parameters:
    ///   - marker: where an earlier part ended; nil begins.
    ///   - onlyWithFiles: whether records without files may be left out.
    func items(
        after marker: String?, onlyWithFiles: Bool = false, limits: Limits
    ) async throws -> (records: [PageRecord], next: String?) {
        var marker = marker
        while true {
            let (records, next) = try await part(after: marker, onlyWithFiles: onlyWithFiles, limits: limits)
            let shown = records.filter { isShown($0.recordName) }
            // The root is in no part.
            if !shown.isEmpty || next == nil { return (shown, next) }
            marker = next
        }
    }

    /// The names that were chosen of the records, where the visitor is shown these alone; nil for all.
    var shownItems: [String]? { visitor.isOwner ? nil : link?.items }

    private func part(
        after marker: String?, onlyWithFiles: Bool, limits: Limits
    ) async throws -> ([PageRecord], String?) {
        switch kind {
        case .published(let root, let rule):
            return try await PublishedRecords(store: store, rule: rule, root: root, limits: limits)
                .items(named: shownItems, onlyWithFiles: onlyWithFiles, after: marker, limit: Self.itemsPerPart)
        case .shared(let tree):
            let choice = shownItems.map(ShareChoice.named) ?? (onlyWithFiles ? .withFiles : .all)
            return try await tree.records(choice, after: marker, limit: Self.itemsPerPart)
        }
    }

    /// The page's own record; nil for a zone that is shared as a whole.
    var root: PageRecord? {
        switch kind {
        case .published(let root, _): root
        case .shared(let tree): tree.root
        }
    }

    /// Every file of the page, in its order, one part after the other.
    ///
    /// - Throws: `BAD_REQUEST` when there are more than `limit`.
    func allFiles(limit: Int, limits: Limits) async throws -> [PageFile] {
        var files: [PageFile] = []
        if showsRoot, let root { files += try await self.files(of: root, caption: nil) }
        var marker: String?
        repeat {
            let (records, next) = try await items(after: marker, onlyWithFiles: true, limits: limits)
            for record in records { files += try await self.files(of: record, caption: caption(of: record)) }
            guard files.count <= limit else {
                throw ServerError.badRequest(
                    "there are more than \(limit) files, too many for one download",
                    .limit(limit, "limit.filesPerDownload"))
            }
            marker = next
        } while marker != nil
        return files
    }
}
