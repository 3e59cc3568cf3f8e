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
        for part in Self.parts(of: pattern[...]) { place = child(of: place, part) }
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
        guard let row = match(Self.parts(of: path)[...], at: 0, &values) else { return nil }
        return (row, values)
    }

    private func match(_ parts: ArraySlice<Substring>, at place: Int, _ values: inout PathValues) -> Row? {
        guard let part = parts.first else { return nodes[place].row }
        let child = nodes[place].children.first { $0.part.elementsEqual(part.utf8) }
        if let child, let row = match(parts.dropFirst(), at: child.node, &values) { return row }
        for (name, next) in nodes[place].named {
            if name == .path {
                values.take(rest: parts)
                return nodes[next].row
            }
            let before = values
            guard values.take(part, as: name) else { continue }
            if let row = match(parts.dropFirst(), at: next, &values) { return row }
            values = before
        }
        return nil
    }

    /// Bytes are compared, because a path is ASCII and splitting characters would cost more than the lookup of a record.
    private static func parts(of path: Substring) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Substring.init)
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
    fileprivate mutating func take(rest parts: ArraySlice<Substring>) {
        raw.append(parts.joined(separator: "/")[...])
    }

    /// - Returns: false for a part that cannot stand for this name.
    fileprivate mutating func take(_ part: Substring, as name: PathName) -> Bool {
        guard !part.isEmpty || name == .name else { return false }
        switch name {
        case .environment:
            environment = ContainerEnvironment(rawValue: part.lowercased())
            guard environment != nil else { return false }
        case .database:
            database = DatabaseScope(rawValue: String(part))
            guard database != nil else { return false }
        case .container: containerIndex = raw.count
        case .name, .path, .other: break
        }
        raw.append(part)
        return true
    }
}
