import CloudAssets
import CloudModel
import CloudStore

/// Counts and dates of what stands on a page, as it is shown: a Live Photo is one photo.
struct PageTotals: Hashable, Sendable {
    private(set) var pictures = 0
    private(set) var videos = 0
    private(set) var sounds = 0
    private(set) var files = 0
    /// Records without files.
    private(set) var records = 0
    /// Movies of Live Photos, which are counted with their stills.
    private(set) var movies = 0
    /// False if the page has files beyond these counts.
    var isWhole = true
    /// By the clocks of files.
    private(set) var clocks: ClosedRange<Timestamp>?
    /// By the creation of records whose files tell no time.
    private(set) var created: ClosedRange<Timestamp>?
    /// By the clocks of the root's own files.
    private(set) var rootClocks: ClosedRange<Timestamp>?

    /// Adds a part.
    ///
    /// - Parameters:
    ///   - movies: the movies of Live Photos that have not been joined to their stills.
    ///   - root: the name of the root record; nil for a shared zone.
    mutating func add(_ part: PagePart, movies: Set<ItemKey> = [], root: String?) {
        let dated = Set(part.files.filter { $0.facts?.clock != nil }.map { ExactName($0.key.recordName) })
        for file in part.files where !movies.contains(file.key) {
            count(file)
            let isRoot = file.key.recordName.isExactly(root)
            if let clock = file.facts?.clock {
                if isRoot { rootClocks = rootClocks.with(clock) } else { clocks = clocks.with(clock) }
            } else if !isRoot, !dated.contains(ExactName(file.key.recordName)) {
                created = created.with(file.created)
            }
        }
        self.movies += movies.count + part.files.count { $0.movie != nil }
        records += part.records.count
        for record in part.records { created = created.with(record.created) }
    }

    private mutating func count(_ file: PageFile) {
        switch file.asset.contentType {
        case _ where file.isPicture: pictures += 1
        case let type where ContentType.isVideo(type): videos += 1
        case let type where ContentType.isPlayed(type): sounds += 1
        default: files += 1
        }
    }

    /// Counts a video with its still, which was in another part.
    mutating func joinVideo() {
        videos -= 1
        movies += 1
    }
}

extension PageTotals {
    /// The number of files, both halves of Live Photos among them.
    var allFiles: Int { pictures + videos + sounds + files + movies }

    /// The most files that are looked through for a zip, or for what an owner chose.
    static func mostFiles(_ limits: Limits) -> Int { max(PageOrder.most, limits.assets.perDownload) }

    /// True if the page has too many files to choose some.
    func isTooLong(_ limits: Limits) -> Bool { allFiles > Self.mostFiles(limits) }

    /// True if a zip of all that a visitor may have would have too many files.
    func isTooLong(forZipOf downloads: PageDownloads, _ limits: Limits) -> Bool {
        isTooLong(limits) || (downloads == .reduced ? pictures : allFiles) > limits.assets.perDownload
    }
}

extension ClosedRange<Timestamp>? {
    fileprivate func with(_ time: Timestamp) -> Self {
        guard let self else { return time...time }
        return min(self.lowerBound, time)...max(self.upperBound, time)
    }
}
