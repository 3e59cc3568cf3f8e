import CloudModel
import CloudOperations
import Hummingbird

/// The files in a record's fields: what they are, and links to them that are good for this page.
struct RecordFiles {
    private let links: AssetLinkWriter?
    private let known: [String: AssetInfo]

    /// Of a record that is not there yet.
    static let none = RecordFiles(links: nil, known: [:])

    private init(links: AssetLinkWriter?, known: [String: AssetInfo]) {
        self.links = links
        self.known = known
    }

    init(_ call: ConsoleCall, _ place: ConsolePlace, _ assets: [AssetInfo]) throws {
        let site = call.page.site
        self.init(
            links: try AssetLinks(accounts: site.accounts, lifetime: site.configuration.assetLinkLifetime).links(
                container: place.container, environment: place.environment, origin: ""),
            known: Dictionary(assets.map { ($0.fileChecksum, $0) }) { first, _ in first })
    }

    /// - Parameter value: an asset, or a list of them.
    func contents(_ value: JSONValue?) -> [PageContent] {
        let assets = value?.array ?? value.map { [$0] } ?? []
        return assets.compactMap(\.object).map(content)
    }

    private func content(_ asset: JSONObject) -> PageContent {
        let checksum = asset["fileChecksum"]?.string ?? ""
        let info = known[checksum]
        var words = [ByteCount.text(asset["size"]?.integer ?? 0)]
        var content: [String: Any] = ["checksum": checksum]
        if let info {
            if let width = info.width, let height = info.height { words.append("\(width) × \(height)") }
            words.append(info.contentType)
        }
        if let key = AssetKey(checksum), let links {
            let name = "asset" + ContentType.fileExtension(info?.contentType ?? "")
            content["download"] = links.download(key, savedAs: name)
            if info?.width != nil { content["preview"] = links.preview(key, .small) }
        }
        content["words"] = words.joined(separator: ", ")
        return PageContent(content)
    }
}
