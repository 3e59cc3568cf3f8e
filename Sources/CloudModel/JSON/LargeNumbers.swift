/// Whole numbers beyond 64 bits, which simdjson refuses when they have neither fraction nor exponent.
enum LargeNumbers {
    private static let fewestDigits = 19

    /// The document with `.0` after each such number; nil without any.
    static func spelledAsDoubles(_ document: UnsafeRawBufferPointer) -> [UInt8]? {
        var spelled: [UInt8] = []
        var copied = 0
        var index = 0
        var isInString = false
        while index < document.count {
            let byte = document[index]
            if isInString {
                if byte == UInt8(ascii: "\\") { index += 1 } else if byte == UInt8(ascii: "\"") { isInString = false }
                index += 1
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
                index += 1
            } else if byte == UInt8(ascii: "-") || isDigit(byte) {
                let end = end(ofNumberAt: index, document)
                if isLarge(document[index..<end]) {
                    spelled += document[copied..<end]
                    spelled += [UInt8(ascii: "."), UInt8(ascii: "0")]
                    copied = end
                }
                index = end
            } else {
                index += 1
            }
        }
        guard copied > 0 else { return nil }
        spelled += document[copied...]
        return spelled
    }

    private static func end(ofNumberAt start: Int, _ document: UnsafeRawBufferPointer) -> Int {
        var end = start + 1
        while end < document.count, isPart(document[end]) { end += 1 }
        return end
    }

    private static func isLarge(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        guard digits.count >= fewestDigits, digits.allSatisfy(isDigit) else { return false }
        return Int64(String(decoding: text, as: UTF8.self)) == nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isPart(_ byte: UInt8) -> Bool {
        isDigit(byte)
            || [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-")]
                .contains(byte)
    }
}
