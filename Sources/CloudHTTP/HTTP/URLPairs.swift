/// Iterates over `name=value` pairs of a query or form, in order and still encoded.
package struct URLPairs<Bytes: Collection<UInt8>>: Sequence, IteratorProtocol {
    private var rest: Bytes.SubSequence?

    package init(_ bytes: Bytes) { rest = bytes[...] }

    /// - Returns: a nil value for a name without `=`. Skips empty pairs.
    package mutating func next() -> (name: Bytes.SubSequence, value: Bytes.SubSequence?)? {
        while let bytes = rest {
            let end = bytes.firstIndex(of: UInt8(ascii: "&"))
            let pair = bytes[..<(end ?? bytes.endIndex)]
            rest = end.map { bytes[bytes.index(after: $0)...] }
            if pair.isEmpty { continue }
            guard let mark = pair.firstIndex(of: UInt8(ascii: "=")) else { return (pair, nil) }
            return (pair[..<mark], pair[pair.index(after: mark)...])
        }
        return nil
    }
}
