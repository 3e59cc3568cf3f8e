import CloudModel
import CloudStore
import Hummingbird

/// A page as its template names it.
struct SharePageView: Sendable {
    let call: PageCall
    let page: SharedPage
    let language: PageLanguage
    private let path: String
    private let title: String

    init(call: PageCall, page: SharedPage) {
        self.call = call
        self.page = page
        language = PageLanguage(acceptLanguage: call.request.headers[.acceptLanguage])
        path = page.path
        title = page.title(language)
    }

    private var site: Site { call.site }
    private var origin: String { site.origin.text(authority: call.request.head.authority) }

    /// - Parameter marker: where the part before this one ended; nil for the first.
    func content(after marker: String?) async throws -> [String: Any] {
        let (records, next) = try await page.items(after: marker, limits: site.configuration.limits)
        var files: [PageFile] = []
        var plain: [PageRecord] = []
        if marker == nil, let root = page.root { files += try await page.files(of: root, caption: nil) }
        for record in records {
            let found = try await page.files(of: record, caption: page.caption(of: record))
            files += found
            if found.isEmpty { plain.append(record) }
        }
        let pictures = files.filter(\.isPicture)
        var content = heading(first: pictures.first, fileCount: files.count)
        content["base"] = page.path
        content["photos"] = pictures.map { PageContent(photo($0)) }
        content["hasPhotos"] = !pictures.isEmpty
        content["files"] = files.filter { !$0.isPicture }.map(file)
        content["hasFiles"] = files.count > pictures.count
        content["hasChoices"] = !files.isEmpty && page.isDownloadable
        content["next"] = next.map { "\(page.path)?after=\(PercentEncoding.encode($0))" }
        let words = PageWords(page: page, language: language)
        content["texts"] = marker == nil ? words.texts : []
        content["links"] = marker == nil ? words.links : []
        content["tables"] = words.tables(plain, withRoot: marker == nil)
        content["isEmpty"] = files.isEmpty && plain.isEmpty && marker == nil && !words.saysSomething
        add(to: &content)
        return content
    }

    private func heading(first: PageFile?, fileCount: Int) -> [String: Any] {
        let lines = page.lines(language)
        var content: [String: Any] = ["title": title, "lines": lines]
        if page.isForAnybody {
            var cover: [String: Any] = ["title": title, "url": origin + page.path]
            cover["description"] = lines.isEmpty ? nil : lines.joined(separator: " · ")
            cover["picture"] = first.map { origin + address($0, .large) }
            content["cover"] = cover
        }
        if fileCount > 1, page.isDownloadable { content["zipURL"] = "\(page.path)/zip" }
        if case .published(_, let rule) = page.kind, let app = rule.app {
            content["appName"] = app.name
            content["appURL"] = app.url?.filled { _ in PercentEncoding.encode(page.id) }
            content["banner"] = app.storeID.map { "app-id=\($0), app-argument=\(origin + page.path)" }
        }
        return content
    }

    /// What only some visitors see.
    private func add(to content: inout [String: Any]) {
        if page.visitor.isOwner {
            content["settings"] = LinkSettings(page: page, language: language, now: site.time).content
            content["notice"] = LinkSettings(page: page, language: language, now: site.time).notice
        }
        guard case .shared(let tree) = page.kind else { return }
        content["asks"] = tree.invitation(base: page.path)
        content["people"] = tree.people(base: page.path)
    }

    // MARK: Files

    private func address(_ file: PageFile, _ size: PreviewSize) -> String {
        "\(path)/preview/\(size.rawValue)/\(file.key.text)"
    }

    private func photo(_ file: PageFile) -> [String: Any] {
        var content = common(file)
        content["small"] = address(file, .small)
        content["medium"] = address(file, .medium)
        content["large"] = address(file, .large)
        let widths = PreviewSize.allCases.map { width(of: file, at: $0) }
        content["smallWidth"] = widths[0]
        content["mediumWidth"] = widths[1]
        content["largeWidth"] = widths[2]
        content["width"] = file.asset.imageSize.map { "\($0.width)" } ?? ""
        content["height"] = file.asset.imageSize.map { "\($0.height)" } ?? ""
        return content
    }

    /// Pixels a preview is wide: what `srcset` promises has to be so, or a browser picks the wrong one.
    private func width(of file: PageFile, at size: PreviewSize) -> String {
        guard let original = file.asset.imageSize else { return "\(size.longestSide)" }
        let longest = max(original.width, original.height)
        let side = min(size.longestSide, longest)
        return "\(max(1, original.width * side / longest))"
    }

    private func file(_ file: PageFile) -> [String: Any] {
        var content = common(file)
        content["size"] = language.size(file.asset.size)
        return content
    }

    private func common(_ file: PageFile) -> [String: Any] {
        var content: [String: Any] = ["mark": file.key.mark]
        content["name"] = file.caption ?? (file.isPicture ? "Picture" : "File") + " of \(title)"
        content["download"] = page.isDownloadable ? "\(path)/download/\(file.key.text)" : nil
        content["isChosen"] = page.visitor.isOwner && page.link?.items != nil && page.isChosen(file.key.recordName)
        return content
    }
}
