import CloudAssets
import CloudModel
import CloudStore
import Hummingbird

/// A page as its template names it.
struct SharePageView: Sendable {
    let call: PageCall
    let page: SharedPage
    let language: PageLanguage
    private let title: String
    private let fileView: FileView

    init(call: PageCall, page: SharedPage) {
        self.call = call
        self.page = page
        language = PageLanguage(acceptLanguage: call.request.headers[.acceptLanguage])
        title = page.title(language)
        fileView = FileView(page: page, language: language)
    }

    private var site: Site { call.site }
    private var origin: String { site.origin.text(authority: call.request.head.authority) }

    /// - Parameter marker: where the part before this one ended; nil for the first.
    func content(after marker: String?) async throws -> [String: Any] {
        let (records, next) = try await page.items(after: marker, limits: site.configuration.limits)
        var files: [PageFile] = []
        var plain: [PageRecord] = []
        if marker == nil, page.showsRoot, let root = page.root { files += try await page.files(of: root, caption: nil) }
        for record in records {
            let found = try await page.files(of: record, caption: page.caption(of: record))
            files += found
            if found.isEmpty { plain.append(record) }
        }
        let shown = picturesBefore
        let pictures = files.filter(\.isPicture)
        let lines = try await page.lines(
            language, files: files, records: plain.count, isWhole: marker == nil && next == nil,
            limits: site.configuration.limits)
        var content = heading(lines, first: pictures.first)
        addFiles(to: &content, pictures: pictures, others: files.filter { !$0.isPicture }, before: shown)
        content["next"] = next.map {
            "\(page.path)?after=\(PercentEncoding.encode($0))&before=\(shown + pictures.count)"
        }
        addActions(to: &content, files: files, isWhole: marker == nil && next == nil)
        addWords(
            to: &content, records: plain, withRoot: marker == nil && page.showsRoot, isBesideFiles: !files.isEmpty)
        content["isEmpty"] = files.isEmpty && marker == nil && content["hasWords"] == nil
        try await addVisitor(to: &content)
        return content
    }

    /// - Parameter before: how many pictures the parts before this one showed.
    private func addFiles(
        to content: inout [String: Any], pictures: [PageFile], others: [PageFile], before: Int
    ) {
        let views = pictures.enumerated().map { fileView.picture($1, number: before + $0 + 1) }
        content["photos"] = views.map(PageContent.init)
        content["hasPhotos"] = !pictures.isEmpty
        content["sizes"] = Self.sizes(of: pictures)
        // A lone picture is shown no larger than it is.
        let lone = pictures.count == 1 && before == 0 ? pictures.first?.asset.imageSize : nil
        content["isLone"] = lone != nil
        let played = others.filter(\.isPlayed)
        content["media"] = played.map(fileView.other)
        content["hasMedia"] = !played.isEmpty
        content["files"] = others.filter { !$0.isPlayed }.map(fileView.other)
        content["hasFiles"] = others.count > played.count
    }

    /// The widths at which the style shows each of these pictures.
    private static func sizes(of pictures: [PageFile]) -> String {
        switch pictures.count {
        case 1:
            pictures[0].asset.imageSize.map {
                "(min-width: 52rem) min(48rem, \($0.width)px), min(100vw, \($0.width)px)"
            } ?? "(min-width: 52rem) 48rem, 100vw"
        case ...4: "(min-width: 84rem) 26rem, (min-width: 40rem) 32vw, 50vw"
        default: "(min-width: 84rem) 16rem, (min-width: 64rem) 19vw, (min-width: 40rem) 24vw, 33vw"
        }
    }

    /// The number of pictures that the parts before this one showed, as their link to this one says.
    private var picturesBefore: Int {
        min(max(call.query["before"].flatMap { Int($0) } ?? 0, 0), 1_000_000)
    }

    /// Adds what can be done with the files: a lone one is downloaded as it is.
    private func addActions(to content: inout [String: Any], files: [PageFile], isWhole: Bool) {
        let isLone = files.count == 1 && isWhole
        content["hasChoices"] = !files.isEmpty && !isLone && (page.isDownloadable || page.visitor.isOwner)
        guard page.isDownloadable, let first = files.first else { return }
        content["loneURL"] = isLone && first.isPicture ? fileView.download(of: first) : nil
        content["zipURL"] = isLone ? nil : "\(page.path)/zip"
    }

    private func addWords(
        to content: inout [String: Any], records: [PageRecord], withRoot: Bool, isBesideFiles: Bool
    ) {
        let words = PageWords(page: page, language: language)
        let tables = words.tables(records)
        content["tables"] = tables
        content["hasWords"] = tables.isEmpty ? nil : true
        guard withRoot else { return }
        content["texts"] = words.texts
        content["links"] = words.links
        content["details"] = words.details(isBesideFiles: isBesideFiles)
        guard content["details"] != nil || !words.texts.isEmpty || !words.links.isEmpty else { return }
        content["hasWords"] = true
    }

    private func heading(_ lines: [String], first: PageFile?) -> [String: Any] {
        var content: [String: Any] = ["title": title, "lines": lines, "base": page.path]
        content["direction"] = TextDirection(title) == .rightToLeft ? TextDirection.rightToLeft.rawValue : nil
        if page.isForAnybody {
            var cover: [String: Any] = ["title": title, "url": origin + page.path]
            cover["description"] = lines.isEmpty ? nil : lines.joined(separator: " · ")
            cover["picture"] = first.map { file in
                let size = fileView.size(of: file, at: .large)
                return [
                    "url": origin + fileView.address(of: file, .large), "width": "\(size.width)",
                    "height": "\(size.height)",
                ]
            }
            content["cover"] = cover
        }
        if case .published(_, let rule) = page.kind, let app = rule.app {
            content["appName"] = app.name
            content["appURL"] = app.url?.filled { _ in PercentEncoding.encode(page.id) }
            content["banner"] = app.storeID.map { "app-id=\($0), app-argument=\(origin + page.path)" }
        }
        return content
    }

    /// Adds what only some visitors see.
    private func addVisitor(to content: inout [String: Any]) async throws {
        content["isOwner"] = page.visitor.isOwner
        content["account"] = try await call.session().map {
            ["name": $0.account.displayName, "signOut": "/auth/signout?return=\(PercentEncoding.encode(page.path))"]
        }
        if content["account"] == nil { content["signIn"] = SignInAddress.returning(to: page.path) }
        if page.visitor.isOwner {
            let settings = PageSettingsJSON(page: page, language: language, now: site.time, url: origin + page.path)
            content["settings"] = settings.content
            content["notice"] = settings.notice
        }
        guard case .shared(let tree) = page.kind else { return }
        if page.takesJoiners {
            content["asks"] = tree.invitation(base: page.path)
            content["offer"] = tree.offer(base: page.path)
        }
        content["people"] = tree.people(base: page.path)
    }
}
