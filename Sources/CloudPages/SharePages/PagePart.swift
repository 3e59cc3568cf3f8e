import CloudAssets
import CloudHTTP
import CloudModel
import CloudStore

/// The files and other records in one part of a page.
struct PagePart: Sendable {
    /// The number of records that were read for the part.
    var length = 0
    var files: [PageFile] = []
    /// Records without files.
    var records: [PageRecord] = []
    /// The end of the part; nil on the last part.
    var next: String?
    /// True if days follow each other on the whole page, so that each has a heading.
    var isByDay = false

    /// Pictures and videos, the items of the grid and the viewer.
    var items: [PageFile] { files.filter(\.isItem) }

    /// Sorts a whole page by time. Files of a record stay together.
    mutating func sortByTime() {
        files = files.enumerated().sorted { ($0.1.standing, $0.0) < ($1.1.standing, $1.0) }.map(\.1)
    }
}

extension PageFile {
    /// True for pictures and videos.
    var isItem: Bool { isPicture || ContentType.isVideo(asset.contentType) }

    /// The day under which the file stands, in days since 1970.
    var day: Int { standing.day }
}

extension SharedPage {
    /// Those of a part's files that stand in the grid: pictures, and videos with a poster. A lone video is shown as a player.
    ///
    /// - Parameter isWhole: true if the part is the whole page.
    func tiles(of files: [PageFile], isWhole: Bool) -> [PageFile] {
        let tiles = files.filter { $0.isPicture || $0.hasPoster && $0.offered(by: self).isGiven }
        return isWhole && tiles.count == 1 ? tiles.filter(\.isPicture) : tiles
    }

    var layout: PageLayout { link?.layout ?? .automatic }

    /// True for a page that stands by time: one whose owner wants days, or whose rule names no other order.
    var isInOrderOfTime: Bool {
        if layout == .days { return true }
        return switch kind {
        case .published(_, let rule): rule.items?.sortBy == nil
        case .shared: true
        }
    }

    /// One part of the page.
    ///
    /// A page of few pictures in one part is sorted here; the order of a longer one is kept in `orders`. A page with too many records for
    /// an order stands by creation.
    ///
    /// - Parameter marker: the end of the previous part; nil for the first part.
    func part(
        after marker: String?, _ language: PageLanguage, orders: PageOrders, limits: Limits
    ) async throws -> PagePart {
        let first = marker == nil ? try await storedPart(after: nil, language, limits: limits) : nil
        if var whole = first, whole.next == nil,
            whole.items.count <= Self.itemsPerPart || !isInOrderOfTime
        {
            if isInOrderOfTime { whole.sortByTime() }
            whole.joinLivePhotos()
            whole.isByDay = layout.hasHeadings(whole.items.map(\.day))
            return whole
        }
        let order = try await order(in: orders, limits: limits)
        guard isInOrderOfTime, !order.isCut else {
            var part = first ?? PagePart()
            if first == nil { part = try await storedPart(after: marker, language, limits: limits) }
            part.joinLivePhotos()
            part.isByDay = order.isByDay && !order.isCut
            return part
        }
        return try await part(of: order, after: marker, language, limits: limits)
    }

    /// A part of the records in the order in which the store gives them; the first begins with the root's files. Records of
    /// many files make it shorter, down to one record.
    ///
    /// - Parameter expected: the likely number of records, from 1 to ``itemsPerPart``: another number takes another query.
    func storedPart(
        after marker: String?, expecting expected: Int = itemsPerPart, _ language: PageLanguage, limits: Limits
    ) async throws -> PagePart {
        var (records, next) = try await items(after: marker, most: expected, limits: limits)
        if expected < Self.itemsPerPart, next != nil, fitting(records) == records.count {
            (records, next) = try await items(after: marker, limits: limits)
        }
        let fitting = fitting(records)
        if fitting < records.count {
            (records, next) = try await items(after: marker, most: fitting, limits: limits)
        }
        var part = PagePart(length: records.count, next: next)
        if marker == nil, showsRoot, let root { part.files = try await files(of: root, language) }
        try await add(records, to: &part, language)
        return part
    }

    /// The number of the first records that together have at most ``itemsPerPart`` files, and at least 1.
    private func fitting(_ records: [PageRecord]) -> Int {
        var files = 0
        let end = records.firstIndex { record in
            files += assets(of: record).reduce(0) { $0 + $1.assets.count }
            return files > Self.itemsPerPart
        }
        return max(1, end ?? records.count)
    }

    private func part(
        of order: PageOrder, after marker: String?, _ language: PageLanguage, limits: Limits
    ) async throws -> PagePart {
        let start = order.start(after: marker)
        let end = order.end(from: start)
        let names = order.places[start..<end].map(\.name)
        let found = names.isEmpty ? [:] : try await items(named: names, limits: limits)
        var part = PagePart(next: end < order.places.count ? order.places[end - 1].marker : nil)
        part.isByDay = order.isByDay
        try await add(names.compactMap { found[ExactName($0)] }, to: &part, language)
        part.joinLivePhotos()
        return part
    }

    private func add(_ records: [PageRecord], to part: inout PagePart, _ language: PageLanguage) async throws {
        for (record, found) in zip(records, try await files(of: records, language)) {
            part.files += found
            if found.isEmpty, !record.recordName.isExactly(root?.recordName) { part.records.append(record) }
        }
    }
}
