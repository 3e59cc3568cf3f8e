/// A database of a container, seen by the signed-in user.
public final class CKDatabase: Sendable {
    public enum Scope: Int, Sendable, Codable {
        case `public` = 1
        case `private` = 2
        case shared = 3

        var path: String {
            switch self {
            case .public: "public"
            case .private: "private"
            case .shared: "shared"
            }
        }
    }

    /// Limits of a single request.
    static let mostOperations = 200
    static let mostBytes = 1 << 20

    public let container: CKContainer
    public let databaseScope: Scope

    init(_ container: CKContainer, _ scope: Scope) {
        self.container = container
        databaseScope = scope
    }

    func post(_ action: String, _ body: [String: JSON?]) async throws -> WireClient.Reply {
        try await container.wire.post("\(databaseScope.path)/\(action)", .members(body))
    }

    /// The single item's result in a call for one item.
    func only<ID, T>(_ results: [ID: Result<T, any Error>]) throws -> T {
        guard let result = results.values.first else { throw CKError.unexpected("a result") }
        return try result.get()
    }
}

extension Sequence {
    /// Splits into groups of at most `size` elements, in order.
    func chunks(of size: Int) -> [[Element]] {
        var chunks: [[Element]] = []
        for element in self {
            if chunks.isEmpty || chunks[chunks.count - 1].count == size { chunks.append([]) }
            chunks[chunks.count - 1].append(element)
        }
        return chunks
    }

    /// Groups elements by key, ordered by the key's first occurrence.
    func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        var order: [Key] = []
        var groups: [Key: [Element]] = [:]
        for element in self {
            let key = key(element)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(element)
        }
        return order.map { ($0, groups[$0] ?? []) }
    }
}
