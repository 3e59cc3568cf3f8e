/// A dictionary that drops half of itself when it is full, so that a flood of names cannot grow it, and a few more
/// than it holds do not make it useless to all of them.
struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var capacity: Int { 32_768 }
    private var entries: [Key: Value] = [:]

    subscript(key: Key) -> Value? {
        get { entries[key] }
        set {
            if entries.count >= Self.capacity && entries[key] == nil {
                var isKept = false
                entries = entries.filter { _ in
                    isKept.toggle()
                    return isKept
                }
            }
            entries[key] = newValue
        }
    }
}
