/// The part of a file that a `Range` header asks for (RFC 9110 §14).
///
/// Several ranges at once are answered with the whole, as the RFC allows: nobody who loads pictures asks for them.
enum ByteRange: Hashable {
    case whole
    case part(Range<Int64>)
    case unsatisfiable

    /// - Parameters:
    ///   - header: nil when there is none. What is not understood is as if it was not there.
    ///   - size: of the whole, in bytes.
    init(_ header: String?, size: Int64) {
        guard let header, header.lowercased().hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let ends = header.dropFirst("bytes=".count).filter { $0 != " " }
            .split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, Self.isNumber(ends[0]), Self.isNumber(ends[1]) else {
            self = .whole
            return
        }
        // Numbers too large to count are past the end of any file.
        let (first, last) = (Int64(ends[0]) ?? .max, Int64(ends[1]) ?? .max)
        switch (ends[0].isEmpty, ends[1].isEmpty) {
        case (true, true): self = .whole
        case (true, false):
            self = last == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - last)..<size)
        case (false, true):
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (false, false):
            if last < first {
                self = .whole
            } else {
                self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
            }
        }
    }

    private static func isNumber(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
