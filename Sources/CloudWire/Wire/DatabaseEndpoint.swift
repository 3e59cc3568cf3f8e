package import CloudModel
package import CloudStore

/// An endpoint, which answers a call or throws a `ServerError`.
package typealias Endpoint = @Sendable (DatabaseCall) async throws -> JSONWriter

/// A read-only endpoint, which returns the read behind its answer.
package typealias ReadEndpoint = @Sendable (DatabaseCall) throws -> StoreRead<JSONWriter>

/// An endpoint that decodes a write.
package typealias WriteEndpoint = @Sendable (DatabaseCall) throws -> PreparedWrite

/// A database endpoint, either fit for the event loop or not.
package enum DatabaseEndpoint: Sendable {
    /// Runs on the event loop if its data is in memory.
    case read(ReadEndpoint)
    /// Is decoded on the event loop, and runs on the writer's thread.
    case write(WriteEndpoint)
    /// Runs in a task.
    case work(Endpoint)

    /// Answers within the caller's task.
    package func answer(_ call: DatabaseCall) async throws -> JSONWriter {
        switch self {
        case .read(let endpoint): try await endpoint(call).answer()
        case .write(let endpoint): try await endpoint(call).answer()
        case .work(let endpoint): try await endpoint(call)
        }
    }
}
