import CloudWire
import CloudPages
import CloudModel
import CloudOperations

/// The assets in a record's fields: size, type and signed links.
struct RecordFiles {
    private let links: AssetLinkWriter?
    private let known: [String: AssetInfo]

    /// For a new record.
    static let none = RecordFiles(links: nil, known: [:])

    private init(links: AssetLinkWriter?, known: [String: AssetInfo]) {
        self.links = links
        self.known = known
    }

    init(_ call: ConsoleCall, _ place: ConsolePlace, _ assets: [AssetInfo]) {
        self.init(
            links: call.page.site.wire.links.links(
                container: place.container, environment: place.environment, origin: ""),
            known: Dictionary(assets.map { ($0.fileChecksum, $0) }) { first, _ in first })
    }

    /// - Parameter value: an asset or a list of assets.
    func files(_ value: JSONValue?) -> [File] {
        let assets = value?.array ?? value.map { [$0] } ?? []
        return assets.compactMap(\.object).map(file)
    }

    private func file(_ asset: JSONObject) -> File {
        let checksum = asset["fileChecksum"]?.string ?? ""
        let info = known[checksum]
        var words = [ByteCount.text(asset["size"]?.integer ?? 0)]
        if let info {
            if let width = info.width, let height = info.height { words.append("\(width) × \(height)") }
            words.append(info.contentType)
        }
        var (preview, download): (String?, String?)
        if let key = AssetKey(checksum), let links {
            download = links.download(key, savedAs: "asset" + ContentType.fileExtension(info?.contentType ?? ""))
            if info?.width != nil { preview = links.preview(key, .small) }
        }
        return File(preview: preview, checksum: checksum, words: words.joined(separator: ", "), download: download)
    }

    struct File: PageView {
        /// The address of a thumbnail.
        let preview: String?
        let checksum: String
        let words: String
        let download: String?

        init(preview: String?, checksum: String, words: String, download: String?) {
            self.preview = preview
            self.checksum = checksum
            self.words = words
            self.download = download
        }
    }
}
