import CloudHTTP

/// A routing table that finds the row whose pattern matches a path.
///
/// `{key}` in a pattern matches a non-empty path segment, `{name}` a possibly empty one, and `{path}` the rest of the
/// path; `{environment}` and `{database}` match their known values. Literal segments are tried first. Paths are compared
/// as bytes: they are ASCII, and comparing characters would cost more than a record lookup.
struct PathTable<Row: Sendable>: Sendable {
    private struct Node: Sendable {
        /// A short list: comparing in turn is faster than hashing the segment.
        var children: [Child] = []
        /// Placeholders with their child nodes.
        var named: [(kind: PathName, node: Int)] = []
        var labels: [Substring] = []
        var row: Row?
    }

    /// A literal segment, as a range of ``text``.
    private struct Child: Sendable {
        let start: Int
        let count: Int
        let node: Int
    }

    private static var slash: UInt8 { UInt8(ascii: "/") }

    private var nodes = [Node()]
    /// Concatenated bytes of all literal segments.
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
    /// - Returns: the matching row with the placeholders' values; nil without a match.
    func match(_ path: Substring) -> (row: Row, values: PathValues)? {
        var values = PathValues(of: path)
        var path = path
        return path.withUTF8 { bytes in match(bytes, from: 0, at: 0, &values) }.map { ($0, values) }
    }

    /// - Parameter start: the offset of the next segment; beyond the path's end after its last segment.
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

    /// The child node of a literal segment; nil without a match.
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
