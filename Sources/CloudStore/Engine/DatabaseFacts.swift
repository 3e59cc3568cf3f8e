/// A database as an engine finds it without opening it.
package struct DatabaseFacts: Hashable, Sendable {
    /// The identity of the database, whatever the path: no two that are there have the same.
    private let identity: [UInt64]
    /// Whether nothing was ever laid out in it.
    package let isEmpty: Bool
    /// Bytes of its log that are not in the database itself; 0 where the log is none of ours.
    package let logBytes: Int64

    package init(identity: [UInt64], isEmpty: Bool, logBytes: Int64 = 0) {
        self.identity = identity
        self.isEmpty = isEmpty
        self.logBytes = logBytes
    }

    package static func == (one: DatabaseFacts, other: DatabaseFacts) -> Bool { one.identity == other.identity }
    package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
