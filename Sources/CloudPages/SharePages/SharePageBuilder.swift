import CloudAccounts
import CloudAssets
import CloudHTTP
import CloudMedia
import CloudModel
import CloudStore

/// Builds the view of a page for one visitor.
struct SharePageBuilder: Sendable {
    let call: PageCall
    let page: SharedPage
    let language: PageLanguage
    let title: String
    let fileViews: FileViewBuilder

    init(call: PageCall, page: SharedPage) {
        self.call = call
        self.page = page
        language = call.language
        title = page.title(language)
        fileViews = FileViewBuilder(page: page, language: language)
    }

    var site: Site { call.site }
    var origin: String { site.origin.text(authority: call.request.head.authority) }

    /// - Parameter marker: the end of the previous part; nil for the first part.
    func view(after marker: String?) async throws -> SharePageView {
        let part = try await page.part(after: marker, language, orders: site.pageOrders, limits: site.limits)
        let (files, plain, next) = (part.files, part.records, part.next)
        let shown = picturesBefore
        let pictures = files.filter(\.isPicture)
        let isWhole = marker == nil && part.next == nil
        let tiles = page.tiles(of: files, isWhole: isWhole)
        let totals = try await totals(of: part, isWhole: isWhole)
        var view = heading(totals, first: pictures.first ?? files.first(where: \.hasPoster))
        if page.isForAnybody, let key = call.query["photo"].flatMap(ItemKey.init) {
            try await addLinkedPicture(key, to: &view)
        }
        addFiles(files, tiles, to: &view, before: shown)
        // A picture that is alone on its page is no grid.
        if part.isByDay, !isWhole || tiles.count > 1 { addDays(of: tiles, to: &view) }
        view.next = next.map { "\(page.path)?after=\(PercentEncoding.encode($0))&before=\(shown + tiles.count)" }
        // The order of a long table would read all of it.
        if marker == nil, next == nil || !tiles.isEmpty { try await addOrder(to: &view, isLong: next != nil) }
        addActions(to: &view, files: files, totals, isWhole: isWhole)
        addWords(to: &view, records: plain, withRoot: marker == nil && page.showsRoot, isBesideFiles: !files.isEmpty)
        view.isWide = view.hasPhotos && !view.isLone || !view.tables.isEmpty
        view.isEmpty = files.isEmpty && marker == nil && !view.hasWords
        try await addVisitor(to: &view)
        if page.visitor.isOwner, page.isDownloadable { view.withheld = withheld(files) }
        return view
    }

    /// What stands on the whole page. A part knows it from the page's order.
    private func totals(of part: PagePart, isWhole: Bool) async throws -> PageTotals {
        guard isWhole else { return try await page.order(in: site.pageOrders, limits: site.limits).totals }
        var totals = PageTotals()
        totals.add(part, root: page.root?.recordName)
        return totals
    }

    /// Tells the owner which files of this part visitors do not get.
    private func withheld(_ files: [PageFile]) -> String? {
        guard page.link?.showsPlaces != true, page.link?.downloads ?? .originals == .originals else { return nil }
        let names = files.filter { $0.facts?.removal.isCertain == false }.map {
            $0.caption
                ?? FileNames.name($0.offered(by: page).name(language), type: $0.asset.contentType, mark: $0.key.mark)
        }
        guard !names.isEmpty else { return nil }
        let some = language.list(Array(names.prefix(5)))
        return language.text("places.withheld", ["count": .number(names.count), "names": .text(some)])
    }

    /// - Parameters:
    ///   - tiles: those of the files that stand in the grid.
    ///   - before: number of tiles in previous parts.
    private func addFiles(_ files: [PageFile], _ tiles: [PageFile], to view: inout SharePageView, before: Int) {
        let placed = Array(zip(files, 0...))
        let keys = Set(tiles.map(\.key))
        let others = placed.filter { !keys.contains($0.0.key) }
        view.photos = placed.filter { keys.contains($0.0.key) }.enumerated().map {
            fileViews.tile($1.0, number: before + $0 + 1, place: $1.1)
        }
        view.hasPhotos = !tiles.isEmpty
        let shape = GridShape(of: tiles, before: before)
        (view.sizes, view.crowd) = (shape.sizes, shape.crowd)
        // A single picture is never enlarged.
        let lone = tiles.count == 1 && before == 0 ? tiles.first?.imageSize : nil
        view.isLone = lone != nil
        let played = others.filter(\.0.isPlayed)
        view.media = played.isEmpty ? nil : SharePageView.Media(files: played.map { fileViews.file($0, place: $1) })
        view.files = others.filter { !$0.0.isPlayed }.map { fileViews.file($0, place: $1) }
        view.hasFiles = others.count > played.count
    }

    /// Begins each day with a heading.
    private func addDays(of tiles: [PageFile], to view: inout SharePageView) {
        view.isByDay = true
        for (index, tile) in tiles.enumerated() where index == 0 || tiles[index - 1].day != tile.day {
            view.photos[index].day = language.weekday(Timestamp(wholeSeconds: Int64(tile.day) * 86_400))
        }
    }

    /// Lets a script recognize changes and, on a long page, show all pictures and videos in one grid. Links days to their
    /// parts for visitors without it.
    private func addOrder(to view: inout SharePageView, isLong: Bool) async throws {
        let order = try await page.order(in: site.pageOrders, limits: site.limits)
        view.news = SharePageView.News(version: order.version, count: "\(order.count)")
        guard isLong, !order.isCut else { return }
        view.grid = GridView.text(of: order)
        view.days = GridView.days(of: order, base: page.path, language)
    }

    /// The number of tiles in previous parts, from the link to this part.
    private var picturesBefore: Int {
        min(max(call.query["before"].flatMap { Int($0) } ?? 0, 0), 1_000_000)
    }

    /// Adds downloads: the file itself for a single file, otherwise a zip.
    private func addActions(to view: inout SharePageView, files: [PageFile], _ totals: PageTotals, isWhole: Bool) {
        let isLone = files.count == 1 && isWhole
        let canTake = files.contains { $0.offered(by: page).download != nil }
        let isTooLong = totals.isTooLong(site.limits)
        if !isLone, !isTooLong, canTake || page.visitor.isOwner && !files.isEmpty {
            view.choices = SharePageView.Choices(canDownload: canTake)
        }
        guard canTake, let first = files.first else { return }
        view.loneURL = isLone && first.isPicture ? fileViews.download(of: first) : nil
        guard !isLone else { return }
        if isTooLong {
            view.crowded = language.text("share.farTooMany", ["count": .number(PageTotals.mostFiles(site.limits))])
        } else if totals.isTooLong(forZipOf: page.downloads, site.limits) {
            view.crowded = language.text("share.tooMany", ["count": .number(site.limits.assets.perDownload)])
        } else {
            view.zipURL = "\(page.path)/zip"
        }
    }

    private func addWords(to view: inout SharePageView, records: [PageRecord], withRoot: Bool, isBesideFiles: Bool) {
        let words = PageWords(page: page, language: language)
        view.tables = words.tables(records)
        guard withRoot else { return }
        view.texts = words.texts
        view.links = words.links
        view.details = words.details(isBesideFiles: isBesideFiles)
    }

    /// Adds content that depends on the visitor.
    private func addVisitor(to view: inout SharePageView) async throws {
        view.isOwner = page.visitor.isOwner
        view.account = try await call.session().map {
            SharePageView.Account(
                name: $0.account.displayName(in: language),
                signOut: "/auth/signout?return=\(PercentEncoding.encode(page.path))")
        }
        if view.account == nil { view.signIn = SignInAddress.returning(to: page.path) }
        if page.visitor.isOwner {
            let settings = PageSettingsJSON(
                page: page, language: language, now: site.time, languages: site.languages, url: origin + page.path)
            view.settings = settings.view
            view.notice = settings.notice
        }
        guard case .shared(let tree) = page.kind else { return }
        if page.takesJoiners {
            let app = try await call.site.accounts.pageRules.app(container: page.container.id).map {
                SharePageView.App(name: $0.name, picture: site.apps.path(of: page.container.name))
            }
            view.asks = tree.invitation(base: page.path, app: app, language)
            view.offer = tree.offer(base: page.path, app: app, language)
        }
        view.people = tree.people(base: page.path, language)
    }
}
