/// A rendered page in bytes, with the ranges of its values.
package struct RenderedPage: Sendable {
    package private(set) var bytes: [UInt8] = []
    /// The ranges of the values, in order. Other bytes come from templates.
    package private(set) var values: [Range<Int>] = []
    /// The values that are a ``RepeatedText``.
    private(set) var repeated: [Range<Int>] = []

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// - Parameter marked: the text with ``begin`` or ``beginRepeated`` before each value and ``end`` after it.
    package init(marked: String) {
        var marked = marked
        bytes.reserveCapacity(marked.utf8.count)
        var (start, isRepeated) = (0, false)
        marked.withUTF8 { text in
            for byte in text {
                switch byte {
                case Self.begin, Self.beginRepeated: (start, isRepeated) = (bytes.count, byte == Self.beginRepeated)
                case Self.end:
                    guard start < bytes.count else { continue }
                    values.append(start..<bytes.count)
                    if isRepeated { repeated.append(start..<bytes.count) }
                default: bytes.append(byte)
                }
            }
        }
    }

    /// Control characters that mark values: templates contain none, and `EscapedText` removes them from values.
    package static let begin: UInt8 = 0x02
    package static let end: UInt8 = 0x03
    static let beginRepeated: UInt8 = 0x04
}
