/// The pairs `name=value` of a query or a form, in the order sent and as received: still encoded.
struct URLPairs<Bytes: Collection<UInt8>>: Sequence, IteratorProtocol {
    private var rest: Bytes.SubSequence?

    init(_ bytes: Bytes) { rest = bytes[...] }

    /// - Returns: a value of nil for a name without `=`. Empty pairs are left out.
    mutating func next() -> (name: Bytes.SubSequence, value: Bytes.SubSequence?)? {
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
