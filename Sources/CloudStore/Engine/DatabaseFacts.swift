/// A database as an engine finds it without opening it.
package struct DatabaseFacts: Hashable, Sendable {
    /// The identity of the database in two numbers, whatever the path: no two that are there have the same.
    private let identity: (UInt64, UInt64)
    /// Whether nothing was ever laid out in it.
    package let isEmpty: Bool

    package init(identity: (UInt64, UInt64), isEmpty: Bool) {
        self.identity = identity
        self.isEmpty = isEmpty
    }

    package static func == (one: DatabaseFacts, other: DatabaseFacts) -> Bool { one.identity == other.identity }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(identity.0)
        hasher.combine(identity.1)
    }
}
