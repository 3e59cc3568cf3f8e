/// The text of messages (reference B §7.5), whatever they tell of.
package enum NotificationMessage {
    /// Bytes of a message, as push services count them.
    package static let mostBytes = 4096
    /// Bytes of a message that can still take the mark.
    package static let mostBytesUnmarked = mostBytes - mark.count

    private static let mark = Array(#","p":1"#.utf8)

    /// A message with the mark that others, or parts of it, were left out. `ck` is its last member.
    package static func marked(_ message: [UInt8]) -> [UInt8] {
        let end = Array("}}".utf8)
        let start = Array(message.dropLast(end.count))
        if start.suffix(mark.count).elementsEqual(mark) { return message }
        return start + mark + end
    }
}
