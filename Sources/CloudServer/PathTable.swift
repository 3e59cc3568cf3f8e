import CloudModel

/// Finds the row of a table of routes whose pattern a path fits.
///
/// `{key}` in a pattern stands for one part of a path that is not empty, `{name}` for one that may be, `{path}` for all
/// that are left; `{environment}` and `{database}` stand for those there are. A part that is spelt out is tried before one of any name.
struct PathTable<Row: Sendable>: Sendable {
    private struct Node: Sendable {
        /// Few enough that comparing them in turn is quicker than hashing the part of a path.
        var children: [(part: [UInt8], node: Int)] = []
        /// The names of parts of any name, with what follows each.
        var named: [(name: PathName, node: Int)] = []
        var row: Row?
    }

    private var nodes = [Node()]

    init(_ rows: [(pattern: String, row: Row)]) {
        for (pattern, row) in rows { add(pattern, row) }
    }

    private mutating func add(_ pattern: String, _ row: Row) {
        var place = 0
        for part in pattern.split(separator: "/", omittingEmptySubsequences: false) { place = child(of: place, part) }
        nodes[place].row = row
    }

    private mutating func child(of place: Int, _ part: Substring) -> Int {
        let new = nodes.count
        if part.hasPrefix("{") {
            let name = PathName(part.dropFirst().dropLast())
            if let known = nodes[place].named.first(where: { $0.name == name }) { return known.node }
            nodes[place].named.append((name, new))
        } else {
            if let known = nodes[place].children.first(where: { $0.part == Array(part.utf8) }) { return known.node }
            nodes[place].children.append((Array(part.utf8), new))
        }
        nodes.append(Node())
        return new
    }

    /// - Parameter path: as received, without the query.
    /// - Returns: the row and what stands in the place of each `{name}` of its pattern; nil for a path that fits none.
    func match(_ path: Substring) -> (row: Row, values: PathValues)? {
        var values = PathValues()
        guard let row = match(PathParts(path), from: 0, at: 0, &values) else { return nil }
        return (row, values)
    }

    /// - Parameter start: where the next part begins; nil when there is none.
    private func match(_ path: PathParts, from start: Int?, at place: Int, _ values: inout PathValues) -> Row? {
        guard let start else { return nodes[place].row }
        let part = path.part(from: start)
        let rest = path.start(after: part)
        let child = nodes[place].children.first { path.spells($0.part, at: part) }
        if let child, let row = match(path, from: rest, at: child.node, &values) { return row }
        for (name, next) in nodes[place].named {
            if name == .path {
                values.append(path.text(start..<path.end))
                return nodes[next].row
            }
            let count = values.raw.count
            guard values.take(path.text(part), as: name) else { continue }
            if let row = match(path, from: rest, at: next, &values) { return row }
            values.forget(downTo: count)
        }
        return nil
    }
}

/// The parts of a path between its slashes, found in its bytes: a path is ASCII, and characters would cost more than the
/// lookup of a record.
private struct PathParts {
    private static let slash = UInt8(ascii: "/")
    private let path: Substring
    private let bytes: [UInt8]

    init(_ path: Substring) {
        self.path = path
        bytes = Array(path.utf8)
    }

    var end: Int { bytes.count }

    func part(from start: Int) -> Range<Int> { start..<(bytes[start...].firstIndex(of: Self.slash) ?? end) }

    /// The index at which the next part begins; nil for the last part.
    func start(after part: Range<Int>) -> Int? { part.upperBound < end ? part.upperBound + 1 : nil }

    func spells(_ text: [UInt8], at part: Range<Int>) -> Bool {
        text.count == part.count && bytes[part].elementsEqual(text)
    }

    func text(_ range: Range<Int>) -> Substring {
        let start = path.utf8.index(path.startIndex, offsetBy: range.lowerBound)
        return path[start..<path.utf8.index(start, offsetBy: range.count)]
    }
}

/// A name in a pattern, by what may stand in its place.
private enum PathName: Hashable {
    case environment, database, container
    /// Any part, the empty one too.
    case name
    /// All that is left, of whatever parts.
    case path
    case other(Substring)

    init(_ text: Substring) {
        self =
            switch text {
            case "environment": .environment
            case "database": .database
            case "container": .container
            case "name": .name
            case "path": .path
            default: .other(text)
            }
    }
}

/// The parts of a path that stand in the place of names in its pattern.
struct PathValues: Sendable {
    /// In order, as received.
    private(set) var raw: [Substring] = []
    private(set) var environment: ContainerEnvironment?
    private(set) var database: DatabaseScope?
    private var containerIndex: Int?

    /// The container that the path names, whether or not there is one.
    var container: String? { containerIndex.map { text($0) } }

    /// The part in the place of the name at `index`, decoded.
    func text(_ index: Int) -> String { PercentEncoding.decode(raw[index].utf8) }

    /// All, decoded.
    var texts: [String] { raw.indices.map { text($0) } }

    /// All that is left of a path.
    fileprivate mutating func append(_ rest: Substring) { raw.append(rest) }

    /// Takes back what was taken after the first `count`.
    fileprivate mutating func forget(downTo count: Int) {
        raw.removeSubrange(count...)
        if let index = containerIndex, index >= count { containerIndex = nil }
    }

    /// - Returns: false for a part that cannot stand for this name.
    fileprivate mutating func take(_ part: Substring, as name: PathName) -> Bool {
        guard !part.isEmpty || name == .name else { return false }
        switch name {
        case .environment:
            guard let named = ContainerEnvironment(rawValue: part.lowercased()) else { return false }
            environment = named
        case .database:
            guard let named = DatabaseScope(rawValue: String(part)) else { return false }
            database = named
        case .container: containerIndex = raw.count
        case .name, .path, .other: break
        }
        if raw.isEmpty { raw.reserveCapacity(4) }
        raw.append(part)
        return true
    }
}
