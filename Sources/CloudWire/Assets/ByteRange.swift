/// A file's range according to a `Range` header (RFC 9110 §14).
///
/// A request for several ranges gets the whole file, as the RFC allows: clients that load pictures never send one.
enum ByteRange: Hashable {
    case whole
    case part(Range<Int64>)
    case unsatisfiable

    /// - Parameters:
    ///   - header: nil without a header. A malformed header is ignored.
    ///   - size: bytes of the file.
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
        // Numbers over 64 bits exceed any file.
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
