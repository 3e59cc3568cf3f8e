import CloudEngine
import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore

/// A store in which few records are many: its deletions go in portions, which wait at a gate.
struct LargeDeletions {
    /// Records that a request deletes at once, and records of one portion.
    static let most = 20
    static let portion = 10
    static let schema = """
        RECORD TYPE Note (
            s STRING QUERYABLE SEARCHABLE, l LIST<STRING> QUERYABLE, r REFERENCE, q REFERENCE,
            GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator"
        );
        """

    static var pace: BuildPace {
        var pace = BuildPace()
        (pace.mostDeletedAtOnce, pace.batch, pace.slice) = (most, portion, .zero)
        return pace
    }

    let temporary: TemporaryStore
    let gate: Gate
    var store: EnvironmentStore { temporary.store }

    init() async throws { (temporary, gate) = try await TemporaryStore.gated(Self.pace, schema: Self.schema) }

    static func record(_ name: String, on target: String? = nil, _ action: String = "DELETE_SELF", more: String = "")
        -> String
    {
        let field = target.map { #","r":\#(reference($0, action))"# } ?? ""
        return operation(
            .create, name, fields: #"{"s":{"value":"red fox"},"l":{"value":["x"]}\#(field)}"#, more: more)
    }

    func save(_ operations: [String], zone: ZoneID = .notes, on store: EnvironmentStore? = nil) async throws {
        var rest = operations[...]
        while !rest.isEmpty {
            let result = try await (store ?? self.store).modify(Array(rest.prefix(200)), zone: zone)
            #expect(result.errors.allSatisfy { $0 == nil }, "\(result.errors.compactMap(\.self).first?.reason ?? "")")
            rest = rest.dropFirst(200)
        }
    }

    /// Lets the work go on portion by portion until all is done.
    ///
    /// - Parameter table: has a row as long as there is something to do.
    /// - Returns: the numbers of records, live ones and tombstones as `counted` has it, before each portion and at the end.
    func run(_ table: String, counting counted: String) async throws -> [Int] {
        await gate.arrived()
        var counts = [try #require(try await temporary.count(counted))]
        while try await temporary.count(table) != 0 {
            await gate.letOneThrough()
            counts.append(try #require(try await temporary.count(counted)))
        }
        gate.openForGood()
        await store.stored.work.finished()
        return counts
    }

    static let live = "records WHERE record_type IS NOT NULL"
    static let beside = ["elements", "record_references", "locations", "cascades", "dropped_zones"]
}

extension LargeDeletions {
    /// The names of the records in a copy of the database, as an export makes it.
    func namesInCopy() throws -> [String] {
        let path = temporary.path + "-copy"
        try temporary.engine.copier.copy(temporary.path, to: path) { _, _ in }
        let copy = try temporary.engine.copier.openCopy(path, readonly: false)
        try copy.write { try UnfinishedRemovals.finish($0, now: { Timestamp(milliseconds: 1) }) }
        let names = try copy.read { db in
            try db.all("SELECT name FROM records WHERE record_type IS NOT NULL") { $0.text(0) }
        }
        try copy.close()
        return names
    }
}
