/// Facts about a database, gathered without opening it.
package struct DatabaseFacts: Hashable, Sendable {
    /// Two numbers that identify a database independently of its path; existing databases never share them.
    private let identity: (UInt64, UInt64)
    /// True if the database never had a layout.
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
