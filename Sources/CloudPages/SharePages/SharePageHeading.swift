import CloudAccounts
import CloudAssets
import CloudHTTP
import CloudModel
import CloudStore

extension SharePageBuilder {
    /// The view of a page with its heading and what messengers are told.
    ///
    /// - Parameters:
    ///   - totals: what stands on the whole page.
    ///   - first: the picture that messengers show; nil for a page without one.
    func heading(_ totals: PageTotals, first: PageFile?) -> SharePageView {
        let lines = PageSummary(page: page, totals: totals, language: language).lines
        var view = SharePageView(title: title, lines: lines, base: page.path)
        let isRightToLeft = language.direction == .rightToLeft || TextDirection(title) == .rightToLeft
        view.direction = isRightToLeft ? TextDirection.rightToLeft.rawValue : nil
        if page.isForAnybody {
            let words = coverWords(totals)
            view.cover = SharePageView.Cover(
                title: words?.title ?? title, siteName: siteName, locale: language.openGraphLocale,
                url: origin + page.path,
                description: words?.description ?? (lines.isEmpty ? nil : lines.joined(separator: " · ")),
                picture: first.map(coverPicture))
        }
        if case .published(_, let rule) = page.kind, let app = rule.app {
            view.app = SharePageView.App(
                name: app.name, picture: site.apps.path(of: page.container.name),
                url: app.url?.filled { _ in PercentEncoding.encode(page.id) },
                banner: app.storeID.map { "app-id=\($0), app-argument=\(origin + page.path)" })
        }
        return view
    }

    /// Nil for a page with items, which messengers are told of.
    private func coverWords(_ totals: PageTotals) -> CoverWords? {
        guard page.showsRoot, totals.allFiles == 0, totals.records == 0 else { return nil }
        return CoverWords(PageWords(page: page, language: language), hasTitle: page.ownTitle != nil)
    }

    /// Shows messengers the picture that a link is about, if the page shows it to the visitor.
    func addLinkedPicture(_ key: ItemKey, to view: inout SharePageView) async throws {
        guard let cover = view.cover, let file = try await page.file(key, language), file.hasPreview else { return }
        view.cover = SharePageView.Cover(
            title: cover.title, siteName: cover.siteName, locale: cover.locale, url: "\(cover.url)?photo=\(key.text)",
            description: file.caption ?? cover.description, picture: coverPicture(file))
    }

    private var siteName: String {
        if case .published(_, let rule) = page.kind, let app = rule.app { return app.name }
        if let name = site.settings.siteName { return name }
        let host = origin.split(separator: "/").last ?? ""
        return String(host.prefix { $0 != ":" })
    }

    private func coverPicture(_ file: PageFile) -> SharePageView.CoverPicture {
        page.store.assets.prepare(.cover, of: file.asset.key)
        let size = file.asset.imageSize.map(PreviewSize.cover.size)
        return SharePageView.CoverPicture(
            url: origin + fileViews.address(of: file, .cover), width: size.map { "\($0.width)" },
            height: size.map { "\($0.height)" }, alt: file.caption ?? title)
    }
}
