import NIOCore

/// Packs a page as gzip without comparing the page's values with any text.
///
/// Repetitions are searched in template text alone. Values are written as literals in deflate's fixed code; a value
/// marked as ``RepeatedText`` refers back to its previous occurrence. The length therefore reveals only the length of
/// the values and the number of their bytes above ASCII, so an ASCII secret beside attacker-chosen text stays secret.
struct PagePacker {
    private static let window = 32_768
    private static let shortest = 4
    private static let longest = 258
    /// The most earlier positions tried per repetition.
    private static let mostTries = 24
    private static let hashBits = 15
    /// Smaller pages gain nothing from compression.
    private static let smallest = 1024

    /// - Returns: nil if packing does not shrink the page.
    static func pack(_ page: RenderedPage) -> ByteBuffer? {
        guard page.bytes.count >= smallest else { return nil }
        var writer = DeflateWriter(capacity: page.bytes.count / 3)
        page.bytes.withUnsafeBufferPointer { bytes in
            var isValue = [Bool](repeating: false, count: bytes.count)
            for value in page.values { for index in value { isValue[index] = true } }
            isValue.withUnsafeBufferPointer {
                PagePacker(bytes: bytes, isValue: $0).write(to: &writer, page.repeated)
            }
        }
        let packed = writer.finish(page.bytes)
        return packed.count < page.bytes.count ? ByteBuffer(bytes: packed) : nil
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let isValue: UnsafeBufferPointer<Bool>

    private func write(to writer: inout DeflateWriter, _ repeated: [Range<Int>]) {
        var heads = [Int32](repeating: -1, count: 1 << Self.hashBits)
        var earlier = [Int32](repeating: -1, count: bytes.count)
        var texts = RepeatedTexts(repeated)
        heads.withUnsafeMutableBufferPointer { heads in
            earlier.withUnsafeMutableBufferPointer { earlier in
                var position = 0
                while position < bytes.count {
                    if let text = texts.next(at: position) {
                        write(text, earlier: texts.place(of: bytes[text]), to: &writer)
                        position = text.upperBound
                        continue
                    }
                    guard let hash = hash(position) else {
                        writer.literal(bytes[position])
                        position += 1
                        continue
                    }
                    let (length, distance) = repetition(at: position, heads[hash], earlier)
                    if length == 0 { writer.literal(bytes[position]) } else { writer.copy(length, distance) }
                    for place in position..<position + max(length, 1) {
                        guard let hash = self.hash(place) else { continue }
                        earlier[place] = heads[hash]
                        heads[hash] = Int32(truncatingIfNeeded: place)
                    }
                    position += max(length, 1)
                }
            }
        }
    }

    /// Writes a repeated text as a reference to its previous occurrence, if that is within the window.
    private func write(_ text: Range<Int>, earlier: Int?, to writer: inout DeflateWriter) {
        var position = text.lowerBound
        if let earlier, position - earlier <= Self.window {
            while text.upperBound - position >= Self.shortest {
                let length = min(Self.longest, text.upperBound - position)
                writer.copy(length, text.lowerBound - earlier)
                position += length
            }
        }
        for index in position..<text.upperBound { writer.literal(bytes[index]) }
    }

    /// The hash of the four bytes at a position; nil if any byte belongs to a value.
    private func hash(_ position: Int) -> Int? {
        guard position + Self.shortest <= bytes.count else { return nil }
        var word: UInt32 = 0
        for index in position..<position + Self.shortest {
            if isValue[index] { return nil }
            word = word << 8 | UInt32(bytes[index])
        }
        return Int((word &* 2_654_435_761) >> UInt32(32 - Self.hashBits))
    }

    /// The longest match of template text at a position with earlier template text.
    private func repetition(
        at position: Int, _ head: Int32, _ earlier: UnsafeMutableBufferPointer<Int32>
    ) -> (length: Int, distance: Int) {
        var (candidate, tries, best) = (Int(head), Self.mostTries, (length: 0, distance: 0))
        let most = min(Self.longest, bytes.count - position)
        while candidate >= 0, position - candidate <= Self.window, tries > 0 {
            var length = 0
            while length < most, bytes[candidate + length] == bytes[position + length],
                !isValue[position + length], !isValue[candidate + length]
            { length += 1 }
            if length >= Self.shortest, length > best.length { best = (length, position - candidate) }
            if length == most { break }
            candidate = Int(earlier[candidate])
            tries -= 1
        }
        return best
    }
}

/// A page's repeated texts, with their latest positions.
private struct RepeatedTexts {
    private let ranges: [Range<Int>]
    private var index = 0
    private var places: [[UInt8]: Int] = [:]

    init(_ ranges: [Range<Int>]) { self.ranges = ranges }

    /// The repeated text that begins at a position; nil for none.
    mutating func next(at position: Int) -> Range<Int>? {
        guard index < ranges.count, ranges[index].lowerBound == position else { return nil }
        index += 1
        return ranges[index - 1]
    }

    /// The previous position of a text, nil for its first occurrence; records the current position.
    mutating func place(of text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let bytes = Array(text)
        defer { places[bytes] = text.startIndex }
        return places[bytes]
    }
}
