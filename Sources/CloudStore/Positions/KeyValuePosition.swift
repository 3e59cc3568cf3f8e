/// A device's progress through the changes of a key-value store.
struct KeyValuePosition: Hashable, Sendable {
    /// The position of the last change that the device has seen.
    let seen: Int64
    /// The position up to which a device that started from nothing could skip removals. Such removals may be deleted without
    /// loss to the device.
    let start: Int64

    /// The progress before a device's first answer, which may report an empty store.
    static let nothing = KeyValuePosition(seen: -1, start: -1)

    init(seen: Int64, start: Int64) {
        self.seen = seen
        self.start = start
    }
}

/// The result of reading a key-value store's token.
enum KeyValueFeedStart: Hashable, Sendable {
    case at(KeyValuePosition)
    case anotherUser
    case unknown
}
