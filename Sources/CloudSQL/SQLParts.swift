/// The parts of a SQL text: code, and what code must be told from.
package enum SQLPart {
    case code
    /// A string literal or a quoted name, with its quotes.
    case quoted
    /// A comment, with its marks.
    case comment
}

extension String {
    /// Rewrites a SQL text.
    ///
    /// - Parameter write: gets each part of the text in order, and appends its replacement to the result.
    package func rewritingSQL(_ write: (SQLPart, ArraySlice<UInt8>, _ result: inout [UInt8]) -> Void) -> String {
        let bytes = Array(utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        var start = 0
        var place = 0
        while place < bytes.count {
            guard let (part, end) = bytes.sqlPart(at: place) else {
                place += 1
                continue
            }
            if start < place { write(.code, bytes[start..<place], &result) }
            write(part, bytes[place..<end], &result)
            (start, place) = (end, end)
        }
        if start < bytes.count { write(.code, bytes[start...], &result) }
        return String(decoding: result, as: UTF8.self)
    }
}

extension [UInt8] {
    /// The literal, quoted name or comment that begins at an index, and its end; nil for code.
    fileprivate func sqlPart(at start: Int) -> (SQLPart, end: Int)? {
        switch self[start] {
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            // A doubled quote ends one part and begins the next.
            return (.quoted, end(after: [self[start]], from: start + 1))
        case UInt8(ascii: "-") where self[start...].starts(with: "--".utf8):
            return (.comment, end(after: Array("\n".utf8), from: start + 2))
        case UInt8(ascii: "/") where self[start...].starts(with: "/*".utf8):
            return (.comment, end(after: Array("*/".utf8), from: start + 2))
        default: return nil
        }
    }

    private func end(after mark: [UInt8], from start: Int) -> Int {
        var place = start
        while place < count, !self[place...].starts(with: mark) { place += 1 }
        return Swift.min(place + mark.count, count)
    }
}
