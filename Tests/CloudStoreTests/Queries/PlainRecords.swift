import CloudModel
import TestStore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Records in memory, filtered and sorted in the plainest way, which the answers of queries are compared with.
struct PlainRecord {
    enum Value: Equatable {
        case one(PlainCell)
        case many([PlainCell])
        case place(Coordinate)
    }

    let name: String
    let zone: ZoneID
    /// Records are made in the order of these.
    var order = 0
    var values: [String: Value]
}

struct PlainQuery {
    struct Filter {
        let field: String
        let comparator: Comparator
        var operands: [PlainCell] = []
        /// Of NEAR.
        var center: Coordinate?
        var distance = 0.0
    }

    struct Sort {
        let field: String
        let ascending: Bool
        var origin: Coordinate?
    }

    let filters: [Filter]
    let sorts: [Sort]

    func matches(_ record: PlainRecord) -> Bool {
        filters.allSatisfy { filter in
            if filter.comparator.isTextSearch { return filter.finds(record) }
            return record.values[filter.field].map { filter.matches($0, in: record.zone) } ?? false
        }
    }

    /// Returns true if the order asked for has `left` strictly before `right`. What is missing comes before what is
    /// not, and what is the same in the order of creation.
    func precedes(_ left: PlainRecord, _ right: PlainRecord) -> Bool {
        for sort in sorts {
            let pair = sort.ascending ? (left, right) : (right, left)
            if let origin = sort.origin {
                let (first, second) = (pair.0.values[sort.field], pair.1.values[sort.field])
                if first == second { continue }
                let apart = distance(origin, first) - distance(origin, second)
                // Nearer than the two ways of reckoning agree.
                if abs(apart) < 0.01 { return false }
                return apart < 0
            }
            switch (pair.0.values[sort.field], pair.1.values[sort.field]) {
            case (nil, _?): return true
            case (.one(let first)?, .one(let second)?):
                let (first, second) = (first.seen(from: pair.0.zone), second.seen(from: pair.1.zone))
                if first < second { return true }
                if second < first { return false }
            case (_?, nil): return false
            default: break
            }
        }
        guard let last = sorts.last else { return false }
        return last.ascending ? left.order < right.order : right.order < left.order
    }

    private func distance(_ origin: Coordinate, _ value: PlainRecord.Value?) -> Double {
        guard case .place(let position)? = value else { return .infinity }
        return origin.plainDistance(to: position)
    }
}

extension PlainQuery.Filter {
    /// Returns true if the field, or all fields with words together, have the words wanted.
    func finds(_ record: PlainRecord) -> Bool {
        let fields = field.isEmpty ? QueryGenerator.searchable : [field]
        var words: Set<String> = []
        for name in fields {
            if case .one(.text(let text))? = record.values[name] { words.formUnion(Self.words(text)) }
        }
        var wanted: [String] = []
        for operand in operands {
            if case .text(let text) = operand { wanted += Self.words(text) }
        }
        return comparator == .containsAllTokens
            ? wanted.allSatisfy(words.contains) : wanted.contains(where: words.contains)
    }

    /// As told by hand of the texts there are.
    private static func words(_ text: String) -> [String] {
        (QueryGenerator.words[text] ?? "unknown").split(separator: " ").map(String.init)
    }

    func matches(_ value: PlainRecord.Value, in zone: ZoneID) -> Bool {
        let operands = operands.map { $0.seen(from: zone) }
        return switch value {
        case .one(let cell): matches(cell.seen(from: zone), operands)
        case .many(let cells): matches(cells.map { $0.seen(from: zone) }, operands)
        case .place(let position): center.map { $0.plainDistance(to: position) <= distance } ?? false
        }
    }

    private func matches(_ cell: PlainCell, _ operands: [PlainCell]) -> Bool {
        let operand = operands[0]
        return switch comparator {
        case .equals: cell == operand
        case .notEquals: cell != operand
        case .lessThan: cell < operand
        case .lessThanOrEquals: !(operand < cell)
        case .greaterThan: operand < cell
        case .greaterThanOrEquals: !(cell < operand)
        case .in: operands.contains(cell)
        case .notIn: !operands.contains(cell)
        case .beginsWith: cell.starts(with: operand)
        case .notBeginsWith: !cell.starts(with: operand)
        default: false
        }
    }

    private func matches(_ cells: [PlainCell], _ operands: [PlainCell]) -> Bool {
        switch comparator {
        case .listContains, .listContainsAny: operands.contains(where: cells.contains)
        case .notListContains, .notListContainsAny: !operands.contains(where: cells.contains)
        case .listContainsAll: operands.allSatisfy(cells.contains)
        case .notListContainsAll: !operands.allSatisfy(cells.contains)
        case .listMemberBeginsWith: cells.contains { $0.starts(with: operands[0]) }
        case .notListMemberBeginsWith: !cells.contains { $0.starts(with: operands[0]) }
        default: false
        }
    }
}

extension Coordinate {
    /// Metres, by the angle between two arrows from the middle of the earth.
    func plainDistance(to other: Coordinate) -> Double {
        let (from, to) = (arrow, other.arrow)
        let cross = (
            from.y * to.z - from.z * to.y, from.z * to.x - from.x * to.z, from.x * to.y - from.y * to.x
        )
        let sine = (cross.0 * cross.0 + cross.1 * cross.1 + cross.2 * cross.2).squareRoot()
        return 6_371_008.8 * atan2(sine, from.x * to.x + from.y * to.y + from.z * to.z)
    }

    private var arrow: (x: Double, y: Double, z: Double) {
        let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
        return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
}
