import Synchronization

/// Counts this program's writing transactions on a schema, over all connections.
final class SchemaWrites: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func note() { number.add(1, ordering: .relaxed) }
}
