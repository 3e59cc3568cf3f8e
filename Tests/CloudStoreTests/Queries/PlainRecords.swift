import CloudModel

/// What the queries' answers are held against: records in memory, filtered and sorted in the plainest way.
struct PlainRecord {
    enum Cell: Hashable {
        case number(Double)
        case text(String)

        /// Numbers before text; text by its UTF-8 bytes.
        static func < (left: Cell, right: Cell) -> Bool {
            switch (left, right) {
            case (.number(let left), .number(let right)): left < right
            case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
            case (.number, .text): true
            case (.text, .number): false
            }
        }

        func starts(with prefix: Cell) -> Bool {
            guard case (.text(let text), .text(let start)) = (self, prefix) else { return false }
            return text.utf8.starts(with: start.utf8)
        }
    }

    enum Value: Hashable {
        case one(Cell)
        case many([Cell])
    }

    let name: String
    let zone: ZoneID
    var values: [String: Value]
}

struct PlainQuery {
    struct Filter {
        let field: String
        let comparator: Comparator
        let operands: [PlainRecord.Cell]
    }

    struct Sort {
        let field: String
        let ascending: Bool
    }

    let filters: [Filter]
    let sorts: [Sort]

    func matches(_ record: PlainRecord) -> Bool {
        filters.allSatisfy { filter in record.values[filter.field].map { filter.matches($0) } ?? false }
    }

    /// Whether the order asked for has `left` strictly before `right`; what is missing comes before what is not.
    func precedes(_ left: PlainRecord, _ right: PlainRecord) -> Bool {
        for sort in sorts {
            let pair = sort.ascending ? (left, right) : (right, left)
            switch (pair.0.values[sort.field], pair.1.values[sort.field]) {
            case (nil, _?): return true
            case (.one(let first)?, .one(let second)?):
                if first < second { return true }
                if second < first { return false }
            case (_?, nil): return false
            default: break
            }
        }
        return false
    }
}

extension PlainQuery.Filter {
    func matches(_ value: PlainRecord.Value) -> Bool {
        switch value {
        case .one(let cell): matches(cell)
        case .many(let cells): matches(cells)
        }
    }

    private func matches(_ cell: PlainRecord.Cell) -> Bool {
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

    private func matches(_ cells: [PlainRecord.Cell]) -> Bool {
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
