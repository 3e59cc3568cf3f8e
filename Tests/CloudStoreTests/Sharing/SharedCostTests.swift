import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import CloudCrypto
import Synchronization
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// A member's reads cost what the owner's do: the same number of statements, each of them seeking.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct SharedCostTests {
    private static let members = 300

    /// A tree of one root and many under it, shared with Bob, beside as many records that are not.
    private func filled(zoneWide: Bool = false) async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "root")])
        for start in stride(from: 0, to: Self.members, by: 100) {
            _ = try await store.modify(
                (start..<start + 100).flatMap { number in
                    [
                        operation(
                            .create, "in\(number)", fields: #"{"n":{"value":\#(number)}}"#, more: parent("root")),
                        operation(.create, "out\(number)", fields: #"{"n":{"value":\#(number)}}"#),
                    ]
                })
        }
        try await store.accept(try await store.share(zoneWide ? nil : "root", with: ["_bob"]), as: "_bob")
        return temporary
    }

    /// The statements that a read runs, and the steps in which SQLite would do them.
    private func cost(
        _ temporary: TemporaryStore, _ body: (SQLConnection) throws -> Void
    ) throws -> (statements: [String], steps: [String]) {
        let texts = Statements()
        let engine = SQLiteEngine(onStatement: { sql in texts.all.withLock { $0.append(sql) } })
        let connection = try engine.opener.openForWriting(temporary.path)
        let cost = try connection.use { db in
            texts.all.withLock { $0.removeAll() }
            try body(db)
            let statements = texts.all.withLock { $0 }
            var steps: [String] = []
            for sql in statements {
                // What is not bound is NULL.
                steps += try db.all("EXPLAIN QUERY PLAN " + sql) { $0.text(3) }
            }
            return (statements, steps)
        }
        try connection.close()
        return cost
    }

    private final class Statements: Sendable {
        let all = Mutex<[String]>([])
    }

    private let tokens = SyncTokens(incarnation: 1, secret: SymmetricKey(size: .bits256))

    @Test("A member's lookup costs little more than the owner's", arguments: [true, false])
    func lookup(zoneWide: Bool) async throws {
        let temporary = try await filled(zoneWide: zoneWide)
        let names = ["root", "in1", "in2"]
        let catalog = temporary.store.records.catalog
        let (owner, _) = try cost(temporary) { db in
            _ = try LookupRequest(zone: .notes, names: names, caller: .alice).run(
                db, catalog: catalog, roles: RoleMemory().reader())
        }
        let (member, steps) = try cost(temporary) { db in
            let found = try LookupRequest(zone: .notes, names: names, caller: .bob).run(
                db, catalog: catalog, roles: RoleMemory().reader())
            #expect(found.allSatisfy { (try? $0.get()) != nil })
        }
        #expect(owner.count == 2)
        #expect(member.count == owner.count)
        let scanned = Set(steps.filter { $0.hasPrefix("SCAN") })
        #expect(scanned.isSubset(of: ["SCAN 4 CONSTANT ROWS", "SCAN wanted"]), "\(steps)")
    }

    @Test("A page of a member's feed costs little more than the owner's", arguments: [true, false])
    func feedPage(zoneWide: Bool) async throws {
        let temporary = try await filled(zoneWide: zoneWide)
        var lastToken: String?
        for _ in 0..<3 {
            let since = lastToken
            let token = Mutex<String?>(nil)
            let (statements, steps) = try cost(temporary) { db in
                let page = try ZoneChangesRequest(
                    zone: .notes, caller: .bob, syncToken: since, limit: 50, recordTypes: nil, reverse: false
                ).run(db, tokens: tokens)
                #expect(page.records.count == 50)
                token.withLock { $0 = page.syncToken }
            }
            #expect(statements.count <= 9, "\(statements)")
            #expect(
                !steps.contains {
                    $0.hasPrefix("SCAN") && !$0.contains("CONSTANT ROW") && $0 != "SCAN store" && $0 != "SCAN s"
                        && !$0.hasPrefix("SCAN j ")
                },
                "\(steps)")
            #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
            lastToken = token.withLock { $0 }
        }
    }

    @Test("A member's list of zones is found by index") func zoneList() async throws {
        let temporary = try await filled()
        let (statements, steps) = try cost(temporary) { db in
            let zones = try SharedZones.list(user: "_bob", tokens: tokens, db)
            #expect(zones.count == 1)
        }
        // The zones, and the epochs that their tokens name.
        #expect(statements.count == 2)
        #expect(
            !steps.contains { $0.hasPrefix("SCAN") && !$0.contains("CONSTANT ROW") && $0 != "SCAN epochs" },
            "\(steps)")
    }

    /// With few records to see they lead; with a whole zone to see the type's index does, as for the owner.
    @Test(
        "A member's query costs little more than the owner's",
        arguments: [
            (false, #"{"recordType":"Note"}"#, "r USING INDEX records_share"),
            (false, #"{"recordType":"Note","sortBy":{"fieldName":"n"}}"#, "r USING INDEX records_share"),
            (true, #"{"recordType":"Note","sortBy":{"fieldName":"n"}}"#, "v USING"),
        ])
    func memberQuery(zoneWide: Bool, text: String, lead: String) async throws {
        let temporary = try await filled(zoneWide: zoneWide)
        let catalog = temporary.store.records.catalog
        let query = try Query(json(text), limits: Limits())
        let (_, steps) = try cost(temporary) { db in
            let page = try QueryRequest(
                zone: .notes, zoneWide: false, query: query, continuationMarker: nil, limit: 50, strict: false,
                caller: .bob, limits: Limits()
            ).run(db, catalog: catalog, roles: RoleMemory().reader(), secret: SymmetricKey(size: .bits256))
            #expect(page.records.count == 50)
        }
        #expect(steps.contains { $0.hasPrefix("SEARCH \(lead)") }, "\(steps)")
        #expect(!steps.contains { $0.hasPrefix("SCAN r") || $0.hasPrefix("SCAN v") }, "\(steps)")
    }

    @Test(
        "The pages of a query hold each visible record once",
        arguments: ["", #","sortBy":{"fieldName":"n"}"#, #","sortBy":{"fieldName":"n","ascending":false}"#])
    func pages(sort: String) async throws {
        let temporary = try await filled()
        var names: [String] = []
        var marker: String?
        repeat {
            let page = try await temporary.store.queries.query(
                QueryRequest(
                    zone: .notes, zoneWide: true, isShared: true,
                    query: try Query(json(#"{"recordType":"Note"\#(sort)}"#), limits: Limits()),
                    continuationMarker: marker, limit: 70, strict: false, caller: .bob, limits: Limits()))
            names += try page.records.map(changeName)
            marker = page.continuationMarker
        } while marker != nil
        #expect(names.count == Self.members + 1)
        #expect(Set(names) == Set((0..<Self.members).map { "in\($0)" } + ["root"]))
    }

    /// A write to a zone that shares nothing asks nothing about sharing.
    @Test("A write to an unshared zone pays nothing for shares") func unsharedZone() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([
            operation(.create, "root"), operation(.create, "in", more: parent("root")),
        ])
        let writer = try TracedWriter(temporary.path)
        _ = try await writer.statements(of: [operation(.create, "warm", more: parent("root"))], zone: .notes)
        let statements = try await writer.statements(
            of: [operation(.create, "new", more: parent("root"))], zone: .notes)
        #expect(
            statements == [
                "BEGIN IMMEDIATE", "SELECT r.id,", "SELECT id,", "INSERT INTO", "INSERT INTO",
                "INSERT INTO", "UPDATE store", "UPDATE zones", "INSERT INTO", "COMMIT",
            ])
        try writer.close()
    }
}
