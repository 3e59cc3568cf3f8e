import CloudAssets
import CloudHTTP
import CloudModel
import CloudStore

/// The files and other records in one part of a page.
struct PagePart: Sendable {
    var files: [PageFile] = []
    /// Records without files.
    var records: [PageRecord] = []
    /// The end of the part; nil on the last part.
    var next: String?

    /// Pictures and videos, the items of the grid and the viewer.
    var items: [PageFile] { files.filter(\.isItem) }
}

extension PageFile {
    /// True for pictures and videos.
    var isItem: Bool { isPicture || ContentType.isVideo(asset.contentType) }

    /// The day under which the file stands, in days since 1970, in UTC.
    var day: Int { Int((Double(created.milliseconds) / 86_400_000).rounded(.down)) }
}

extension SharedPage {
    /// One part of the page; the first begins with the root's files.
    ///
    /// - Parameter marker: the end of the previous part; nil for the first part.
    func part(after marker: String?, _ language: PageLanguage, limits: Limits) async throws -> PagePart {
        let (records, next) = try await items(after: marker, limits: limits)
        var part = PagePart(next: next)
        if marker == nil, showsRoot, let root { part.files = try await files(of: root, caption: nil) }
        for record in records {
            let found = try await files(of: record, caption: caption(of: record, language))
            part.files += found
            if found.isEmpty { part.records.append(record) }
        }
        return part
    }
}
