import CloudAssets
import CloudCrypto
import CloudModel
import Foundation

/// Where the pictures and videos of a page stand: their parts and days, without the records themselves.
///
/// The places are those of the page's grid, from 0. A window of places costs the parts that it touches.
struct PageOrder: Sendable {
    /// A part of the page, of at most ``SharedPage/itemsPerPart`` records.
    struct Part: Hashable, Sendable {
        /// The end of the previous part; nil for the first part, which begins with the root's files.
        let marker: String?
        /// The place of the part's first picture or video.
        let start: Int
        let count: Int
        /// The number of pictures before it, as the pages without scripts count them.
        let pictures: Int
    }

    /// Pictures and videos of one day that stand together.
    struct Day: Hashable, Sendable {
        /// Days since 1970, in UTC.
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
    /// True if the page has more than ``most``; the counts are those of its beginning.
    let isCut: Bool

    /// True if the days follow each other, so that each is one run.
    var isByDay: Bool { days.count > 1 && zip(days, days.dropFirst()).allSatisfy { $0.day < $1.day } }

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
    }
}

/// Builds an order from the parts of a page.
struct PageOrderBuilder {
    private var parts: [PageOrder.Part] = []
    private var days: [PageOrder.Day] = []
    private var (count, pictures, others, records) = (0, 0, 0, 0)
    private var marks: [UInt64] = []
    private var digest = SHA256()

    /// True if no part can be added.
    var isFull: Bool { count > PageOrder.most || records > PageOrder.most }

    mutating func add(_ part: PagePart, after marker: String?) {
        let items = part.items
        parts.append(PageOrder.Part(marker: marker, start: count, count: items.count, pictures: pictures))
        count += items.count
        pictures += part.files.count(where: \.isPicture)
        records += part.files.count + part.records.count
        if marker != nil { others += part.files.count - items.count + part.records.count }
        for file in part.files { note([file.key.text, file.asset.key.text, file.caption ?? ""]) }
        for record in part.records { note([record.recordName]) }
        for item in items {
            marks.append(PageOrder.number(of: item.key.mark) ?? 0)
            add(day: item.day)
        }
    }

    private mutating func add(day: Int) {
        if days.last?.day == day {
            days[days.count - 1].count += 1
        } else {
            days.append(PageOrder.Day(day: day, count: 1))
        }
    }

    private mutating func note(_ texts: [String]) {
        for text in texts { digest.update(data: Data("\(text.utf8.count)|\(text)".utf8)) }
    }

    func order() -> PageOrder {
        PageOrder(
            marks: marks, version: Base64URL.encode(Array(digest.finalize().prefix(9))), parts: parts, days: days,
            count: count,
            others: others, isCut: isFull)
    }
}
