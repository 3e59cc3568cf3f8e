/// A dictionary that drops every second entry when full. Its memory stays bounded, and a few keys beyond the capacity
/// do not evict all others.
///
/// Inlinable, so that other targets specialize it: requests look up zones, roles and credentials in such caches.
@usableFromInline
package struct BoundedCache<Key: Hashable, Value> {
    @usableFromInline let capacity: Int
    @usableFromInline package internal(set) var entries: [Key: Value] = [:]

    @inlinable package init(capacity: Int = 32_768) { self.capacity = capacity }

    @inlinable package subscript(key: Key) -> Value? {
        get { entries[key] }
        set {
            if let newValue {
                insert(newValue, for: key)
            } else {
                entries[key] = nil
            }
        }
    }

    @inlinable mutating func insert(_ value: Value, for key: Key) {
        if entries.count >= capacity && entries[key] == nil {
            var isKept = false
            entries = entries.filter { _ in
                isKept.toggle()
                return isKept
            }
        }
        entries[key] = value
    }

    @inlinable package mutating func removeAll() { entries.removeAll() }

    @inlinable package mutating func removeAll(where isGone: (Key) -> Bool) {
        entries = entries.filter { !isGone($0.key) }
    }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}

extension BoundedCache where Value == Void {
    @inlinable package func contains(_ key: Key) -> Bool { entries[key] != nil }

    @inlinable package mutating func insert(_ key: Key) { insert((), for: key) }
}
