import CloudAssets
import CloudCrypto
import CloudModel
import CloudStore
import Foundation

/// Builds an order from the parts of a page.
struct PageOrderBuilder {
    /// A record with what stands on the page of it.
    private struct Entry {
        var place: PageOrder.Place
        /// For a Live Photo's movie, the entry of its still.
        var still: Int?
        var marks: [UInt64] = []
        var pictures = 0
        /// Other files, or the record itself.
        var others = 0
        /// What the version of the page depends on.
        var texts: [String] = []

        /// The place with the number of its items.
        var counted: PageOrder.Place {
            var counted = place
            counted.items = marks.count
            return counted
        }
    }

    private let isByTime: Bool
    private let layout: PageLayout
    private var entries: [Entry] = []
    /// The ends of the parts, as numbers of entries, with the markers after which they begin.
    private var begins: [(entry: Int, marker: String?)] = []
    private var waiting: Set<AssetKey> = []
    /// Files with an identifier or a name whose other half was not in their part, by their entries.
    private var halves: [(file: PageFile, entry: Int)] = []
    private var (count, records) = (0, 0)
    private let root: String?
    private var totals = PageTotals()

    private static let mostWaiting = 100

    /// - Parameters:
    ///   - isByTime: true to sort the records by time.
    ///   - root: the name of the page's root record; nil for a shared zone.
    init(isByTime: Bool, layout: PageLayout, root: String?) {
        (self.isByTime, self.layout, self.root) = (isByTime, layout, root)
    }

    /// True if no part can be added.
    var isFull: Bool { count > PageOrder.most || records > PageOrder.most }

    mutating func add(_ part: PagePart, after marker: String?) {
        begins.append((entries.count, marker))
        records += part.files.count + part.records.count
        let stills = LivePairs.find(part.files)
        totals.add(part, movies: Set(stills.keys), root: root)
        totals.isWhole = part.next == nil
        let joined = Set(stills.values.map(\.key))
        let first = entries.count
        for file in part.files { add(file, isMovie: stills[file.key] != nil) }
        let names = entries[first...].enumerated().map { (ExactName($1.place.name), first + $0) }
        let added = Dictionary(names) { one, _ in one }
        let sizes = Dictionary(part.files.map { (ExactName($0.key.recordName), 1) }, uniquingKeysWith: +)
        for file in part.files {
            if let still = stills[file.key], !still.key.recordName.isExactly(file.key.recordName) {
                join(added[ExactName(file.key.recordName)], to: added[ExactName(still.key.recordName)])
            } else if isByTime, file.mayBeHalf, stills[file.key] == nil, !joined.contains(file.key),
                file.isPicture || sizes[ExactName(file.key.recordName)] == 1,
                let entry = added[ExactName(file.key.recordName)]
            {
                halves.append((file, entry))
            }
        }
        for record in part.records {
            let place = PageOrder.Place(name: record.recordName, standing: Standing(created: record.created))
            entries.append(Entry(place: place, others: 1, texts: [record.recordName]))
        }
    }

    private mutating func join(_ movie: Int?, to still: Int?) {
        guard isByTime, let movie, let still else { return }
        entries[movie].still = still
        entries[movie].place.standing = entries[still].place.standing
        entries[movie].place.isBehindStill = true
    }

    /// Joins halves from different parts.
    private mutating func joinHalves() {
        let entriesOfFiles = Dictionary(halves.map { ($0.file.key, $0.entry) }) { one, _ in one }
        for (movie, still) in LivePairs.find(halves.map(\.file)) {
            guard let entry = entriesOfFiles[movie], let other = entriesOfFiles[still.key], entry != other,
                let place = PageOrder.number(of: movie.mark).flatMap({ entries[entry].marks.firstIndex(of: $0) })
            else { continue }
            entries[entry].marks.remove(at: place)
            count -= 1
            totals.joinVideo()
            join(entry, to: other)
        }
        halves = []
    }

    private mutating func add(_ file: PageFile, isMovie: Bool) {
        let name = file.key.recordName
        if entries.last?.place.name.isExactly(name) != true {
            entries.append(Entry(place: PageOrder.Place(name: name, standing: file.standing)))
        }
        let last = entries.count - 1
        entries[last].texts += [file.key.text, file.asset.key.text, file.caption ?? ""]
        if file.isWaiting, waiting.count < Self.mostWaiting { waiting.insert(file.asset.key) }
        guard !isMovie else { return }
        guard file.isItem else { return entries[last].others += 1 }
        count += 1
        if file.isPicture { entries[last].pictures += 1 }
        entries[last].marks.append(PageOrder.number(of: file.key.mark) ?? 0)
    }

    mutating func order() -> PageOrder {
        joinHalves()
        // Too many records stand as the store gives them.
        let isSorted = isByTime && !isFull
        let sorted = isSorted ? sortedEntries : entries
        var (parts, days, marks): ([PageOrder.Part], [PageOrder.Day], [UInt64]) = ([], [], [])
        var (pictures, others) = (0, 0)
        var digest = SHA256()
        let places = isSorted ? sorted.map(\.counted) : []
        let bounds = isSorted ? Self.bounds(of: places) : begins
        for (index, bound) in bounds.enumerated() {
            let end = index + 1 < bounds.count ? bounds[index + 1].entry : sorted.count
            let (start, before) = (marks.count, pictures)
            for entry in sorted[bound.entry..<end] {
                Self.note(entry, isSorted, in: &digest)
                marks += entry.marks
                pictures += entry.pictures
                if bound.marker != nil { others += entry.others }
                Self.add(entry, to: &days)
            }
            parts.append(.init(marker: bound.marker, start: start, count: marks.count - start, pictures: before))
        }
        return PageOrder(
            marks: marks, version: Base64URL.encode(Array(digest.finalize().prefix(9))), parts: parts, days: days,
            count: marks.count, others: others, places: places, waiting: waiting, layout: layout,
            totals: totals, isCut: isFull)
    }

    /// Records of one time stay as the store gives them. Movies follow their stills.
    private var sortedEntries: [Entry] {
        let movies = Dictionary(grouping: entries.filter { $0.still != nil }) { $0.still }
        return entries.enumerated().filter { $0.1.still == nil }
            .sorted { ($0.1.place.standing, $0.0) < ($1.1.place.standing, $1.0) }
            .flatMap { [$1] + (movies[$0] ?? []) }
    }

    private static func bounds(of places: [PageOrder.Place]) -> [(entry: Int, marker: String?)] {
        var bounds: [(entry: Int, marker: String?)] = [(0, nil)]
        var end = PageOrder.end(of: places, from: 0)
        while end < places.count {
            bounds.append((end, places[end - 1].marker))
            end = PageOrder.end(of: places, from: end)
        }
        return bounds
    }

    private static func add(_ entry: Entry, to days: inout [PageOrder.Day]) {
        guard !entry.marks.isEmpty else { return }
        if days.last?.day == entry.place.standing.day {
            days[days.count - 1].count += entry.marks.count
        } else {
            days.append(PageOrder.Day(day: entry.place.standing.day, count: entry.marks.count))
        }
    }

    private static func note(_ entry: Entry, _ isSorted: Bool, in digest: inout SHA256) {
        let time = isSorted ? ["\(entry.place.standing.day)", "\(entry.place.standing.moment)"] : []
        for text in entry.texts + time { digest.update(data: Data("\(text.utf8.count)|\(text)".utf8)) }
    }
}
