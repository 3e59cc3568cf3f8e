/// How far a device has come in a key-value store.
struct KeyValuePosition: Hashable, Sendable {
    /// Of the last change it has seen.
    let seen: Int64
    /// Who began from nothing did not need to hear of removals up to here, and so misses none that is forgotten.
    let start: Int64

    /// Not even that the store is empty.
    static let nothing = KeyValuePosition(seen: -1, start: -1)

    init(seen: Int64, start: Int64) {
        self.seen = seen
        self.start = start
    }
}

/// What a token of a key-value store says to the store it is shown to.
enum KeyValuePlace: Hashable, Sendable {
    case at(KeyValuePosition)
    case anotherUser
    case unknown
}
