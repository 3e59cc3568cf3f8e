import HTTPTypes
import Hummingbird

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

extension Request {
    /// The path as received, without the query.
    var path: Substring {
        let target = head.path ?? ""
        return target[..<(target.firstIndexOfQuery ?? target.endIndex)]
    }

    /// The text after the `?`, as received; empty where there is none.
    var query: Substring {
        let target = head.path ?? ""
        return target.firstIndexOfQuery.map { target[target.utf8.index(after: $0)...] } ?? ""
    }
}

extension String {
    /// The index of the `?`. The bytes are searched as they lie in memory, which is many times faster than by index.
    fileprivate var firstIndexOfQuery: Index? {
        let mark = UInt8(ascii: "?")
        let offset = utf8.withContiguousStorageIfAvailable { $0.firstIndex(of: mark) }
        guard let offset else { return utf8.firstIndex(of: mark) }
        return offset.map { utf8.index(startIndex, offsetBy: $0) }
    }
}
