import Synchronization

/// The number of writing transactions that this program has begun on a schema, on all of its connections.
final class SchemaWrites: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func note() { number.add(1, ordering: .relaxed) }
}
