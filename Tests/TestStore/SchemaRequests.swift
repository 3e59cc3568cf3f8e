package import CloudModel
import CloudSQL
package import CloudStore
import Synchronization

extension SchemaStore {
    /// Imports schema text that follows `DEFINE SCHEMA`.
    @discardableResult
    package func apply(
        _ text: String, production: String? = nil, dryRun: Bool = false
    ) async throws -> [SchemaChange] {
        try await apply(definition(text), production: production.map(definition), dryRun: dryRun)
    }

    @discardableResult
    package func apply(
        _ target: SchemaDefinition, production: SchemaDefinition?, dryRun: Bool
    ) async throws -> [SchemaChange] {
        try await apply(target, production: production, dryRun: dryRun, ifTag: nil) { _ in }
    }

    @discardableResult
    package func deploy(_ text: String, dryRun: Bool = false) async throws -> [SchemaChange] {
        try await deploy(definition(text), dryRun: dryRun, ifTag: nil) { _ in }
    }

    @discardableResult
    package func reset(to production: SchemaDefinition) async throws -> [SchemaChange] {
        try await reset(to: production, dryRun: false, ifTag: nil)
    }
}

package func definition(_ text: String) throws -> SchemaDefinition { try SchemaParser.parse("DEFINE SCHEMA " + text) }

extension BuildPace {
    /// A pace at which even a handful of records is too much for one transaction.
    package static var slow: BuildPace {
        var pace = BuildPace()
        (pace.mostDerivedAtOnce, pace.mostIndexedAtOnce, pace.batch) = (3, 3, 2)
        pace.slice = .zero
        return pace
    }
}

/// Holds up what waits at it, and lets through as many as it is told.
package final class Gate: Sendable {
    private let passes = AsyncStream.makeStream(of: Void.self)
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    package init() {}

    /// Ends a wait also when it is cancelled.
    package func wait() async {
        arrivals.continuation.yield()
        for await _ in passes.stream { return }
    }

    /// Returns when somebody has come to wait.
    package func arrived() async { for await _ in arrivals.stream { return } }

    /// Lets one through, and returns when there is another to wait.
    package func letOneThrough() async {
        pass()
        await arrived()
    }

    package func pass() { passes.continuation.yield() }

    package func openForGood() { passes.continuation.finish() }
}

extension TemporaryStore {
    /// One column of what a statement answers, as another connection sees the file.
    package func column(_ sql: String) async throws -> [String] {
        try read { db in try db.all(sql) { $0.text(0) } }
    }
}

/// Set once by one task for others.
package final class Done: Sendable {
    private let value = Mutex(false)

    package init() {}

    package var isSet: Bool { value.withLock { $0 } }

    package func set() { value.withLock { $0 = true } }
}
