import CloudEngine
import CloudModel
import CloudSQLite
import Synchronization
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Statements of a request once the store is warm.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct StatementCountTests {
    /// - Parameter keepsWords: whether the schema says so.
    private func warm(keepsWords: Bool = true) async throws -> (TemporaryStore, TracedWriter) {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        if keepsWords { try await temporary.store.schema.apply("RECORD TYPE Note (a STRING SEARCHABLE);") }
        let writer = try TracedWriter(temporary.path)
        let fields = #"{"a":{"value":"x"},"b":{"value":1}}"#
        for number in 0..<2 {
            _ = try await writer.statements(of: [operation(.create, "warm\(number)", fields: fields)], zone: .notes)
        }
        _ = try await writer.statements(of: [operation(.forceUpdate, "warm1", fields: fields)], zone: .notes)
        return (temporary, writer)
    }

    /// One look for the name, one row in each of the two tables, its words at the end, and what every group reads and
    /// writes once.
    @Test("A create runs a known number of statements", arguments: [true, false])
    func create(keepsWords: Bool) async throws {
        let (temporary, writer) = try await warm(keepsWords: keepsWords)
        let statements = try await writer.statements(
            of: [operation(.create, "new", fields: #"{"a":{"value":"y"}}"#)], zone: .notes)
        #expect(
            statements == [
                "BEGIN IMMEDIATE", "SELECT r.id,", "INSERT INTO", "INSERT INTO",
            ] + (keepsWords ? ["INSERT INTO"] : []) + ["UPDATE store", "UPDATE zones", "INSERT INTO", "COMMIT"])
        try writer.close()
        withExtendedLifetime(temporary) {}
    }

    @Test("Quotas cost a create no statement once the owner's usage is cached")
    func quotas() async throws {
        let (temporary, writer) = try await warm()
        var limits = Limits()
        (limits.quotas.user.records, limits.quotas.container.bytes) = (1000, 1 << 30)
        _ = try await writer.statements(of: [operation(.create, "first")], zone: .notes, limits: limits)
        let bounded = try await writer.statements(of: [operation(.create, "a")], zone: .notes, limits: limits)
        #expect(try await writer.statements(of: [operation(.create, "b")], zone: .notes) == bounded)
        try writer.close()
        withExtendedLifetime(temporary) {}
    }

    /// The stored body is read along, since fields that are not named keep their values. Old words go before new ones
    /// come.
    @Test("An update runs a known number of statements") func update() async throws {
        let (temporary, writer) = try await warm()
        let statements = try await writer.statements(
            of: [operation(.forceUpdate, "warm0", fields: #"{"a":{"value":"y"}}"#)], zone: .notes)
        #expect(
            statements == [
                "BEGIN IMMEDIATE", "SELECT r.id,", "UPDATE records", "INSERT INTO", "INSERT INTO", "INSERT INTO",
                "UPDATE store", "UPDATE zones", "INSERT INTO", "COMMIT",
            ])
        try writer.close()
        withExtendedLifetime(temporary) {}
    }

    /// One look for the zone, then 16 names at a time, since their bodies are in memory.
    @Test("A lookup runs a known number of statements", arguments: [(1, 1), (2, 1), (16, 1), (200, 13)])
    func lookup(names count: Int, statements: Int) async throws {
        let names = (0..<count).map { "n\($0)" }
        #expect(try await lookupCost(of: names) == 1 + statements)
    }

    @Test("A record looked up 200 times is read once")
    func repeatedLookup() async throws {
        #expect(try await lookupCost(of: Array(repeating: "n", count: 200)) == 2)
    }

    private func lookupCost(of names: [String]) async throws -> Int {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify(Set(names).map { operation(.create, $0) })
        let catalog = temporary.store.records.catalog
        let texts = Mutex<[String]>([])
        let engine = SQLiteEngine(onStatement: { sql in texts.withLock { $0.append(sql) } })
        let connection = try engine.opener.openForWriting(temporary.path)
        try connection.use { db in
            texts.withLock { $0.removeAll() }
            let found = try LookupRequest(zone: .notes, names: names, caller: .alice).run(
                db, catalog: catalog, roles: RoleMemory().reader())
            #expect(found.count { (try? $0.get()) != nil } == names.count)
        }
        try connection.close()
        return texts.withLock { $0.count }
    }

    private func validating(_ name: String, _ target: String) -> String {
        operation(.create, name, fields: #"{"r":\#(reference(target, "VALIDATE"))}"#)
    }

    /// One run finds the broken reference and all that falls with it; the next has nothing left to do.
    @Test("A chain of broken references costs at most twice as much as a valid one")
    func brokenReferences() async throws {
        let (temporary, writer) = try await warm()
        _ = try await writer.statements(of: [validating("grown", "warm0")], zone: .notes)
        let good = (0..<200).map { validating("good\($0)", $0 == 0 ? "warm0" : "good\($0 - 1)") }
        let broken = (0..<200).map { validating("bad\($0)", $0 == 0 ? "missing" : "bad\($0 - 1)") }
        let cost = try await writer.statements(of: good, zone: .notes).count
        #expect(try await writer.statements(of: broken, zone: .notes).count <= 2 * cost)
        #expect(try await writer.statements(of: broken.reversed(), zone: .notes).count <= 2 * cost)
        try writer.close()
        withExtendedLifetime(temporary) {}
    }

    @Test("A chain of refused deletions costs at most twice as much as a successful one")
    func refusedDeletions() async throws {
        let (temporary, writer) = try await warm()
        let made = (0..<200).map {
            $0 == 199 ? operation(.create, "s199") : validating("s\($0)", "s\($0 + 1)")
        }
        _ = try await writer.statements(of: made, zone: .notes)
        _ = try await writer.statements(of: [validating("holder", "s0")], zone: .notes)
        let deletions = (0..<200).map { operation(.forceDelete, "s\($0)") }
        let refused = try await writer.statements(of: deletions, zone: .notes).count
        _ = try await writer.statements(of: [operation(.forceDelete, "holder")], zone: .notes)
        let deleted = try await writer.statements(of: deletions, zone: .notes).count
        #expect(refused <= 2 * deleted, "\(refused) and \(deleted) statements")
        try writer.close()
        withExtendedLifetime(temporary) {}
    }

    /// Statements of every group: its beginning, positions, zones, the usage, its end.
    private static let perGroup = 5

    /// 200 names are looked for in 64s, their rows written in 64s, 16s and 4s. Words are a statement for each record.
    @Test("200 creates run a known number of statements", arguments: [true, false])
    func manyCreates(keepsWords: Bool) async throws {
        let (temporary, writer) = try await warm(keepsWords: keepsWords)
        let statements = try await writer.statements(
            of: (0..<200).map { operation(.create, "n\($0)", fields: #"{"a":{"value":"y"}}"#) }, zone: .notes)
        #expect(statements.count == Self.perGroup + 4 + 2 * 5 + (keepsWords ? 200 : 0))
        try writer.close()
        withExtendedLifetime(temporary) {}
    }

    /// Each record's row is a statement of its own, its values are not.
    @Test("200 updates run a known number of statements") func manyUpdates() async throws {
        let (temporary, writer) = try await warm(keepsWords: false)
        let names = (0..<200).map { "n\($0)" }
        _ = try await writer.statements(
            of: names.map { operation(.create, $0, fields: #"{"a":{"value":"y"}}"#) }, zone: .notes)
        let statements = try await writer.statements(
            of: names.map { operation(.forceUpdate, $0, fields: #"{"a":{"value":"z"}}"#) }, zone: .notes)
        #expect(statements.count == Self.perGroup + 4 + 200 + 5)
        try writer.close()
        withExtendedLifetime(temporary) {}
    }
}
