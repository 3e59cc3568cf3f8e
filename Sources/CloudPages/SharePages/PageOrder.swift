import CloudAssets
import CloudCrypto
import CloudModel
import CloudStore
import Foundation

/// Where the pictures and videos of a page stand: their parts and days, without the records themselves.
///
/// The places are those of the page's grid, from 0. A window of places costs the parts that it touches.
struct PageOrder: Sendable {
    /// A part of the page, of at most ``SharedPage/itemsPerPart`` records; on a page in order of time of at most as many pictures
    /// and videos too, unless a record alone has more.
    struct Part: Hashable, Sendable {
        /// The end of the previous part; nil for the first part, which begins with the root's files.
        let marker: String?
        /// The place of the part's first picture or video.
        let start: Int
        let count: Int
        /// The number of pictures before it, as the pages without scripts count them.
        let pictures: Int
    }

    /// A record on a page in order of time.
    struct Place: Hashable, Sendable {
        let name: String
        var standing: Standing
        /// The number of its pictures and videos.
        var items = 0
        /// True for the movie of the Live Photo before it, in the same part.
        var isBehindStill = false

        /// The end of a part whose last record this is.
        var marker: String { "\(standing.day)_\(standing.moment)_\(name)" }
    }

    /// Pictures and videos of one day that stand together.
    struct Day: Hashable, Sendable {
        /// Days since 1970, by the clock of each picture.
        let day: Int
        var count: Int
    }

    /// The most pictures, videos and other records of a page with a grid.
    static let most = 20_000

    /// The marks of the items as numbers, by which links find their places.
    let marks: [UInt64]
    /// A digest of all that stands on the page, so that changes to other records do not move the places.
    let version: String
    let parts: [Part]
    let days: [Day]
    /// The number of pictures and videos.
    let count: Int
    /// The number of other files and records after the first part.
    let others: Int
    /// The records of a page in order of time; none for a page in another order.
    var places: [Place] = []
    /// A sample of the files without facts at the time of the order.
    var waiting: Set<AssetKey> = []
    var layout = PageLayout.automatic
    /// What stands on the page, for its heading.
    var totals = PageTotals()
    /// True if the page has more than ``most`` items; then only the first ones are counted.
    let isCut: Bool

    /// True if the days have headings.
    var isByDay: Bool { layout.hasHeadings(days.map(\.day)) }

    /// The first record after the end of a part; 0 for the first part, and for a malformed marker.
    func start(after marker: String?) -> Int {
        let texts = marker?.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false) ?? []
        guard texts.count == 3, let day = Int(texts[0]), let moment = Int64(texts[1]) else { return 0 }
        let (name, standing) = (String(texts[2]), Standing(day: day, moment: moment))
        // A record that has left, or stands elsewhere now, was at the same time.
        let last = places.firstIndex { $0.standing == standing && $0.name.isExactly(name) }
        if let last { return last + 1 }
        return places.firstIndex { $0.standing > standing } ?? places.count
    }

    /// The end of the part that begins with a record.
    func end(from start: Int) -> Int { Self.end(of: places, from: start) }

    /// The end of the part that begins with a record. A movie stays in the part of its still.
    static func end(of places: [Place], from start: Int) -> Int {
        var (end, items) = (start, 0)
        while end < places.count {
            let place = places[end]
            if end > start, !place.isBehindStill {
                guard end - start < SharedPage.itemsPerPart, items + place.items <= SharedPage.itemsPerPart else {
                    break
                }
            }
            items += place.items
            end += 1
        }
        return end
    }

    /// The parts that hold the places, with the numbers of all their places.
    func parts(of places: Range<Int>) -> ArraySlice<Part> {
        let first = parts.firstIndex { $0.start + $0.count > places.lowerBound } ?? parts.endIndex
        let end = parts[first...].firstIndex { $0.start >= places.upperBound } ?? parts.endIndex
        return parts[first..<end]
    }

    /// The place of an item; nil for an item that is not on the page.
    ///
    /// - Parameter name: the item's mark or key.
    func place(of name: String) -> Int? {
        let mark = ItemKey(name)?.mark ?? name
        return Self.number(of: mark).flatMap { marks.firstIndex(of: $0) }
    }

    /// A mark as a number; nil for a text that is no mark.
    static func number(of mark: String) -> UInt64? {
        guard let bytes = Base64URL.decode(mark), bytes.count == 8 else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The memory that the order takes, in bytes.
    var bytes: Int {
        1024 + parts.reduce(0) { $0 + MemoryLayout<Part>.stride + ($1.marker?.utf8.count ?? 0) }
            + marks.count * MemoryLayout<UInt64>.stride + days.count * MemoryLayout<Day>.stride
            + places.reduce(0) { $0 + MemoryLayout<Place>.stride + $1.name.utf8.count } + waiting.count * 64
    }
}
