/// The progress of a device through the changes of a key-value store.
struct KeyValuePosition: Hashable, Sendable {
    /// Of the last change it has seen.
    let seen: Int64
    /// The position up to which a device that began from nothing did not need to hear of removals. So it misses none
    /// that is forgotten.
    let start: Int64

    /// Not even that the store is empty.
    static let nothing = KeyValuePosition(seen: -1, start: -1)

    init(seen: Int64, start: Int64) {
        self.seen = seen
        self.start = start
    }
}

/// The meaning of a key-value store's token to the store it is shown to.
enum KeyValueFeedStart: Hashable, Sendable {
    case at(KeyValuePosition)
    case anotherUser
    case unknown
}
