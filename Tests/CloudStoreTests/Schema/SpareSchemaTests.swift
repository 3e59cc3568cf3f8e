import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Schemas that tests take over from tests that have ended are those that the migrations make.
@Suite(.enabled(if: ChosenEngine.isPostgres, "about schemas of PostgreSQL"), .timeLimit(.minutes(5)))
struct SpareSchemaTests {
    private static let rounds = 20

    @Test("An emptied schema of records equals a migrated one, except for its identity")
    func records() async throws {
        let made = try TemporaryStore(engine: TestEngine(copiesRecords: false))
        let expected = try made.read(Self.tables)
        var identities = try [made.read(Self.identity)]
        var taken = 0
        for _ in 0..<Self.rounds {
            let newest = try made.read(Self.newestSchema)
            let store = try TemporaryStore()
            Self.expect(try store.read(Self.tables), equal: expected)
            identities.append(try store.read(Self.identity))
            if try store.read(Self.schema) <= newest { taken += 1 }
            try await fill(store)
        }
        #expect(taken > 0)
        #expect(Set(identities).count == Self.rounds + 1)
    }

    /// Writes rows into many tables, and a type of records, whose values have a table of their own.
    private func fill(_ temporary: TemporaryStore) async throws {
        let store = temporary.store
        try await store.makeZone()
        let made = try await store.modify([
            operation(.create, "a", fields: #"{"text": {"value": "words"}, "count": {"value": 1}}"#),
            operation(.create, "b", fields: #"{"to": \#(reference("a", "DELETE_SELF"))}"#),
        ])
        #expect(made.outcomes.count == 2)
        _ = try await store.modify([operation(.forceDelete, "b")])
        #expect(try await temporary.tables(beginningWith: "values_").count > 0)
        try temporary.write { try $0.script("CREATE TABLE more (id bigint PRIMARY KEY)") }
    }

    @Test("An emptied schema of accounts equals a migrated one")
    func accounts() async throws {
        let made = try AccountFixture(engine: TestEngine(copiesAccounts: false))
        let first = try made.open()
        let expected = try await first.database.pool.read { try Self.tables($0) }
        var taken = 0
        for _ in 0..<Self.rounds {
            let newest = try await first.database.pool.read { try Self.newestSchema($0) }
            let accounts = try AccountFixture().open()
            Self.expect(try await accounts.database.pool.read { try Self.tables($0) }, equal: expected)
            if try await accounts.database.pool.read({ try Self.schema($0) }) <= newest { taken += 1 }
            let account = try await accounts.users.create(email: "a@example.com")
            let container = try await accounts.containers.create(name: "c")
            _ = try await accounts.people.recordName(account: account.id, container: container.id)
            try accounts.close()
        }
        #expect(taken > 0)
        try first.close()
    }

    private static func expect(_ tables: [String: [String]], equal expected: [String: [String]]) {
        #expect(tables.keys.sorted() == expected.keys.sorted())
        for (name, rows) in tables { #expect(rows == expected[name], "\(name)") }
    }

    /// The rows of every table as text, but for an identity, and the next number of every sequence.
    private static func tables(_ db: SQLConnection) throws -> [String: [String]] {
        let names = try db.all("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()") { $0.text(0) }
        var tables: [String: [String]] = [:]
        for name in names {
            // Groups are ids of the last commits.
            let rows = "to_jsonb(t) - 'incarnation' - 'secret' - 'groups'"
            tables[name] = try db.all("SELECT CAST(\(rows) AS text) FROM \"\(name)\" t ORDER BY 1") { $0.text(0) }
        }
        tables["sequences"] = try db.all(
            """
            SELECT concat_ws(' ', sequencename, start_value, increment_by, last_value) FROM pg_sequences
            WHERE schemaname = current_schema() ORDER BY 1
            """
        ) { $0.text(0) }
        return tables
    }

    private static func identity(_ db: SQLConnection) throws -> String? {
        try db.first("SELECT concat(incarnation, encode(secret, 'hex')) FROM store") { $0.text(0) }
    }

    private static func schema(_ db: SQLConnection) throws -> Int64 {
        try #require(
            try db.first("SELECT CAST(oid AS bigint) FROM pg_namespace WHERE nspname = current_schema()") {
                $0.integer(0)
            })
    }

    private static func newestSchema(_ db: SQLConnection) throws -> Int64 {
        try #require(try db.first("SELECT CAST(max(oid) AS bigint) FROM pg_namespace") { $0.integer(0) })
    }
}
