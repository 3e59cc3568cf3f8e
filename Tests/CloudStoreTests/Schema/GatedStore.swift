import CloudModel
import TestStore

@testable import CloudStore

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

extension TemporaryStore {
    /// The tables that values are in.
    func valuesTables() async throws -> [String] {
        try await tables(beginningWith: "values")
    }
}
