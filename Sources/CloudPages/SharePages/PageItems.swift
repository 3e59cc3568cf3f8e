import CloudHTTP
package import CloudModel
import CloudStore

extension SharedPage {
    /// Records per part of a page.
    static let itemsPerPart = 100

    /// Reads one part of the records visible to the visitor, without the root record.
    ///
    /// - Parameters:
    ///   - marker: the end of the previous part; nil for the first part.
    ///   - onlyWithFiles: true to allow omitting records without files.
    package func items(
        after marker: String?, onlyWithFiles: Bool = false, limits: Limits
    ) async throws -> (records: [PageRecord], next: String?) {
        var marker = marker
        while true {
            let (records, next) = try await part(after: marker, onlyWithFiles: onlyWithFiles, limits: limits)
            let shown = records.filter { isShown($0.recordName) }
            // Continue after a part without visible records.
            if !shown.isEmpty || next == nil { return (shown, next) }
            marker = next
        }
    }

    /// The record names that the owner chose to show; nil for all. The owner sees all.
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

    /// The page's root record; nil for a shared zone.
    package var root: PageRecord? {
        switch kind {
        case .published(let root, _): root
        case .shared(let tree): tree.root
        }
    }

    /// All files of the page in order, with captions in a language.
    ///
    /// - Throws: `BAD_REQUEST` for more than `limit` files.
    func allFiles(_ language: PageLanguage, limit: Int, limits: Limits) async throws -> [PageFile] {
        var files: [PageFile] = []
        if showsRoot, let root { files += try await self.files(of: root, caption: nil) }
        var marker: String?
        repeat {
            let (records, next) = try await items(after: marker, onlyWithFiles: true, limits: limits)
            for record in records { files += try await self.files(of: record, caption: caption(of: record, language)) }
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
