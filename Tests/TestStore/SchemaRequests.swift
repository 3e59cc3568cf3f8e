import CloudModel
import CloudSQL
import Synchronization

@testable import CloudStore

extension SchemaStore {
    /// Imports schema text that follows `DEFINE SCHEMA`.
    @discardableResult
    func apply(
        _ text: String, production: String? = nil, dryRun: Bool = false
    ) async throws -> [SchemaChange] {
        try await apply(definition(text), production: production.map(definition), dryRun: dryRun)
    }

    @discardableResult
    func apply(
        _ target: SchemaDefinition, production: SchemaDefinition?, dryRun: Bool
    ) async throws -> [SchemaChange] {
        try await apply(target, production: production, dryRun: dryRun, ifTag: nil) { _ in }
    }

    @discardableResult
    func deploy(_ text: String, dryRun: Bool = false) async throws -> [SchemaChange] {
        try await deploy(definition(text), dryRun: dryRun, ifTag: nil) { _ in }
    }

    @discardableResult
    func reset(to production: SchemaDefinition) async throws -> [SchemaChange] {
        try await reset(to: production, dryRun: false, ifTag: nil)
    }
}

func definition(_ text: String) throws -> SchemaDefinition { try SchemaParser.parse("DEFINE SCHEMA " + text) }

extension BuildPace {
    /// A pace at which even a handful of records is too much for one transaction.
    static var slow: BuildPace {
        var pace = BuildPace()
        (pace.mostDerivedAtOnce, pace.mostIndexedAtOnce, pace.batch) = (3, 3, 2)
        pace.slice = .zero
        return pace
    }
}

extension TemporaryStore {
    /// A store whose work on schema changes waits at a gate, and has looked for what was left.
    ///
    /// - Parameter schema: text that it has imported; nil for none.
    static func gated(_ pace: BuildPace = .slow, schema: String? = nil) async throws -> (
        temporary: TemporaryStore, gate: Gate
    ) {
        let gate = Gate()
        var pace = pace
        pace.pause = { await gate.wait() }
        let temporary = try TemporaryStore(pace: pace)
        try await temporary.store.makeZone()
        await gate.arrived()
        gate.pass()
        await temporary.store.stored.work.finished()
        if let schema {
            try await temporary.store.schema.apply(schema)
            await gate.arrived()
            gate.pass()
            await temporary.store.stored.work.finished()
        }
        return (temporary, gate)
    }
}

/// Holds up what waits at it, and lets through as many as it is told.
final class Gate: Sendable {
    private let passes = AsyncStream.makeStream(of: Void.self)
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    /// Ends a wait also when it is cancelled.
    func wait() async {
        arrivals.continuation.yield()
        for await _ in passes.stream { return }
    }

    /// Returns when somebody has come to wait.
    func arrived() async { for await _ in arrivals.stream { return } }

    /// Lets one through, and returns when there is another to wait.
    func letOneThrough() async {
        pass()
        await arrived()
    }

    func pass() { passes.continuation.yield() }

    func openForGood() { passes.continuation.finish() }
}

extension TemporaryStore {
    /// One column of what a statement answers, as another connection sees the file.
    func column(_ sql: String) async throws -> [String] {
        try read { db in try db.all(sql) { $0.text(0) } }
    }

    /// The tables that values are in.
    func valuesTables() async throws -> [String] {
        try await tables(beginningWith: "values")
    }
}

/// Set once by one task for others.
final class Done: Sendable {
    private let value = Mutex(false)

    var isSet: Bool { value.withLock { $0 } }

    func set() { value.withLock { $0 = true } }
}
