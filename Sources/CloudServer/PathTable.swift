/// Finds the row of a table of routes whose pattern a path fits.
///
/// `{key}` in a pattern stands for one part of a path that is not empty, `{name}` for one that may be, `{path}` for all
/// that are left; `{environment}` and `{database}` stand for those there are. A part that is spelt out is tried before one of any name.
/// Paths are compared as bytes: they are ASCII, and characters would cost more than the lookup of a record.
struct PathTable<Row: Sendable>: Sendable {
    private struct Node: Sendable {
        /// Few enough that comparing them in turn is quicker than hashing the part of a path.
        var children: [Child] = []
        /// The names of parts of any name, with what follows each.
        var named: [(kind: PathName, node: Int)] = []
        var labels: [Substring] = []
        var row: Row?
    }

    /// A part that is spelt out, by its place in ``text``.
    private struct Child: Sendable {
        let start: Int
        let count: Int
        let node: Int
    }

    private static var slash: UInt8 { UInt8(ascii: "/") }

    private var nodes = [Node()]
    /// The bytes of all parts that are spelt out, one after the other.
    private var text: [UInt8] = []

    init(_ rows: [(pattern: String, row: Row)]) {
        for (pattern, row) in rows { add(pattern, row) }
    }

    private mutating func add(_ pattern: String, _ row: Row) {
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
        precondition(parts.count { $0.hasPrefix("{") } <= PathValues.most, "\(pattern) has too many names")
        var place = 0
        for part in parts { place = child(of: place, part) }
        nodes[place].row = row
    }

    private mutating func child(of place: Int, _ part: Substring) -> Int {
        let new = nodes.count
        if part.hasPrefix("{") {
            if let known = nodes[place].labels.firstIndex(of: part) { return nodes[place].named[known].node }
            nodes[place].named.append((PathName(part.dropFirst().dropLast()), new))
            nodes[place].labels.append(part)
        } else {
            if let known = nodes[place].children.first(where: { bytes(of: $0).elementsEqual(part.utf8) }) {
                return known.node
            }
            nodes[place].children.append(Child(start: text.count, count: part.utf8.count, node: new))
            text += part.utf8
        }
        nodes.append(Node())
        return new
    }

    private func bytes(of child: Child) -> ArraySlice<UInt8> { text[child.start..<child.start + child.count] }

    /// - Parameter path: as received, without the query.
    /// - Returns: the row and what stands in the place of each `{name}` of its pattern; nil for a path that fits none.
    func match(_ path: Substring) -> (row: Row, values: PathValues)? {
        var values = PathValues(of: path)
        var path = path
        return path.withUTF8 { bytes in match(bytes, from: 0, at: 0, &values) }.map { ($0, values) }
    }

    /// - Parameter start: where the next part begins; beyond the end of the path where there is none.
    private func match(
        _ path: UnsafeBufferPointer<UInt8>, from start: Int, at place: Int, _ values: inout PathValues
    ) -> Row? {
        if start > path.count { return nodes[place].row }
        var end = start
        while end < path.count, path[end] != Self.slash { end += 1 }
        if let next = child(of: place, path, start..<end), let row = match(path, from: end + 1, at: next, &values) {
            return row
        }
        for (kind, next) in nodes[place].named {
            if kind == .path {
                values.append(start..<path.count)
                return nodes[next].row
            }
            let count = values.count
            guard values.take(path, start..<end, as: kind) else { continue }
            if let row = match(path, from: end + 1, at: next, &values) { return row }
            values.forget(downTo: count)
        }
        return nil
    }

    /// The node behind a part that is spelt out; nil where none spells it so.
    private func child(of place: Int, _ path: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) -> Int? {
        nodes[place].children.withUnsafeBufferPointer { children in
            text.withUnsafeBufferPointer { text in
                next: for child in children where child.count == part.count {
                    for index in 0..<child.count where text[child.start + index] != path[part.lowerBound + index] {
                        continue next
                    }
                    return child.node
                }
                return nil
            }
        }
    }
}

/// A name in a pattern, by what may stand in its place.
enum PathName {
    case environment, database, container
    /// Any part, the empty one too.
    case name
    /// All that is left, of whatever parts.
    case path
    case other

    fileprivate init(_ text: Substring) {
        self =
            switch text {
            case "environment": .environment
            case "database": .database
            case "container": .container
            case "name": .name
            case "path": .path
            default: .other
            }
    }
}
