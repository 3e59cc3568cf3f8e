import CloudAccounts
import CloudModel
import CloudSQL
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

struct MovingTests {
    let here: MovingFixture
    let source: Container

    init() async throws {
        here = try MovingFixture()
        source = try await here.accounts.containers.create(name: "iCloud.com.example.source")
        try await here.with(source, .production) { try await MovingWorld.fill($0) }
        for name in ["_alice", "_bob"] { try await here.know(name, in: source) }
    }

    @Test("An export of an imported environment equals the first export") func roundTrip() async throws {
        try await here.export(source, to: "one")
        let there = try here.elsewhere("one")
        let target = try await there.accounts.containers.create(name: source.name)
        try await there.take("one", into: target)
        try await there.export(target, to: "two")
        let (one, two) = (try there.files("one"), try there.files("two"))
        #expect(one.keys.sorted() == two.keys.sorted())
        for (name, data) in one {
            #expect(two[name] == data, "\(name): \(String(decoding: two[name] ?? Data(), as: UTF8.self))")
        }
        #expect(one.keys.contains("records-00001.jsonl"))
        #expect(one["users.jsonl"]?.count(where: { $0 == 10 }) == 2)
        #expect(one.keys.filter { $0.hasPrefix("assets/") }.count == 2)
        #expect(!one.keys.contains { $0.contains("snapshot") || $0.contains("lock") || $0.contains("partial") })
    }

    @Test("An import rebuilds elements, references, assets, usage and members") func derivedRows() async throws {
        try await here.export(source, to: "one")
        let target = try await here.accounts.containers.create(name: "target")
        try await here.take("one", into: target)
        let join = ChosenEngine.isPostgres ? "string_agg" : "group_concat"
        let questions = [
            "SELECT count(*) FROM elements", "SELECT count(*) FROM record_references",
            "SELECT count(*) FROM record_assets",
            "SELECT \(join)(owner || bytes || ' ' || records, ',') FROM (SELECT * FROM usage ORDER BY owner) AS part",
            """
            SELECT \(join)("user" || bytes || ' ' || keys, ',')
            FROM (SELECT * FROM key_value_stores ORDER BY "user") AS part
            """,
            """
            SELECT \(join)("user" || since || may_write || is_zone_wide, ',')
            FROM (SELECT * FROM members ORDER BY since) AS part
            """,
            "SELECT position FROM store",
        ]
        let before = try await here.with(source, .production) { try await $0.answers(questions) }
        let after = try await here.with(target, .production) { try await $0.answers(questions) }
        #expect(before == after)
    }

    @Test("Imported records can be queried, shared and changed as before")
    func importedRecords() async throws {
        try await here.export(source, to: "one")
        let there = try here.elsewhere("one")
        let target = try await there.accounts.containers.create(name: source.name)
        try await there.take("one", into: target)
        let before = try await here.with(source, .production) { try await $0.record("first") }
        try await there.with(target, .production) { (store) async throws in
            #expect(try await store.record("first") == before)
            #expect(try await store.text(of: store.checksum("twin")) == "a picture")
            #expect(try await store.sees("_bob", "leaf"))
            #expect(try await !store.sees("_bob", "moved"))
            #expect(before["shortGUID"]?.string != nil)
            #expect(try await store.changes().names.contains("his leaf"))
            #expect(try await store.changes().names.allSatisfy { !$0.hasPrefix("-") })
            #expect(try await store.news("_bob").names.contains("leaf"))
            #expect(try await store.texts() == ["b": "2", "c": "3"])
            #expect(try await store.subscriptionNames() == ["all", "notes", "texts"])
            _ = try await store.modify([operation(.forceDelete, "second")])
            #expect(try await !store.exists("first"))
            let refused = try await store.modify([operation(.forceDelete, "tree")])
            #expect(refused.error()?.code == .validatingReferenceError)
            try await store.listen(7)
            let saved = try await store.modify(
                [operation(.create, "new", fields: #"{"text":{"value":"later"}}"#)], zone: .home)
            let tags = try [saved.tag(), before["recordChangeTag"]?.string].map {
                try ChangeTag.position($0.unwrapped()).unwrapped()
            }
            #expect(tags[0] > tags[1])
            #expect(try await store.news(7).contains("texts+new"))
        }
    }

    @Test("An import reuses no change tags, and older tokens are refused with the time of the import")
    func tagsAndTokens() async throws {
        try await here.export(source, to: "one")
        let (phone, token) = try await here.with(source, .production) { store in
            let saved = try await store.modify([operation(.forceUpdate, "first")])
            return (saved.tag(), try await store.changes().token)
        }
        let there = try here.elsewhere("one")
        let target = try await there.accounts.containers.create(name: source.name)
        try await there.take("one", into: target)
        try await there.with(target, .production) { (store) async throws in
            for _ in 0..<3 {
                let error = await #expect(throws: ServerError.self) { try await store.changes(since: token) }
                #expect(error?.restoredTo == Timestamp(milliseconds: 1_700_000_000_000))
                let tablet = try await store.modify([operation(.forceUpdate, "first")])
                #expect(tablet.error() == nil && tablet.tag() != phone)
                let refused = try await store.modify([operation(.update, "first", tag: phone)])
                #expect(refused.error()?.code == .conflict)
            }
        }
    }

    @Test("An export from before epochs is imported with its tags")
    func olderExport() async throws {
        try await here.export(source, to: "one")
        try here.change(ExportFolder.manifest, of: "one") { text in
            try text.replacing(#""format":2"#, with: #""format":1"#)
                .replacing(Regex(#""changed":\d+,"epochs":\[[^\]]+\],"#), with: "")
        }
        try here.change("records-00001.jsonl", of: "one") { text in
            try text.replacing(Regex(#""recordChangeTag":"0\w{5}"#), with: #""recordChangeTag":""#)
        }
        let target = try await here.accounts.containers.create(name: "target")
        try await here.take("one", into: target)
        try await here.with(target, .production) { (store) async throws in
            let tag = try #require(try await store.record("first")["recordChangeTag"]?.string)
            #expect(!tag.hasPrefix("0"))
            let saved = try await store.modify([operation(.update, "first", tag: tag)])
            #expect(saved.error() == nil)
            #expect(saved.tag()?.hasPrefix("0") == true)
        }
    }

    @Test("Share links stay valid on another server and get new ids beside the original")
    func shareLinks() async throws {
        let guid = try await here.with(source, .production) {
            try #require(try await $0.record("tree")["shortGUID"]?.string)
        }
        try await here.export(source, to: "one")
        let beside = try await here.accounts.containers.create(name: "beside")
        try await here.take("one", into: beside)
        let key = try await here.accounts.environments.routingKey(container: beside.id, environment: .production)
        #expect(!guid.hasPrefix(key))
        try await here.with(beside, .production) { (store) async throws in
            let moved = key + guid.dropFirst(3)
            #expect(try await store.record("tree")["shortGUID"]?.string == moved)
            #expect(try await store.shares.find(moved, as: Person(userRecordName: "_bob")).rootName == "tree")
            #expect(try await store.pageSettings.find(moved, owner: "_alice") != nil)
        }
        let there = try MovingFixture()
        let target = try await there.accounts.containers.create(name: "elsewhere")
        try FileManager.default.copyItem(atPath: here.folder("one").path, toPath: there.folder("one").path)
        try await there.take("one", into: target)
        let home = try await there.accounts.environments.home(ofShortGUID: guid)
        #expect(home?.container.name == "elsewhere")
        #expect(home?.environment == .production)
    }

    @Test("A clone makes development a copy of production") func clone() async throws {
        try await here.with(source, .development) { (store) async throws in
            try await store.makeZone()
            _ = try await store.modify([operation(.create, "draft", type: "Draft")])
        }
        let asset = try await here.with(source, .production) { try await $0.checksum("twin") }
        _ = try await EnvironmentClone(of: source, in: here.data, accounts: here.accounts).run()
        try await here.with(source, .development) { (store) async throws in
            #expect(store.records.catalog.types["Draft"] == nil)
            #expect(try await store.exists("first"))
            #expect(try await !store.exists("draft"))
            #expect(try await store.text(of: asset) == "a picture")
            let key = try await here.accounts.environments.routingKey(container: source.id, environment: .development)
            #expect(try await store.record("tree")["shortGUID"]?.string?.hasPrefix(key) == true)
        }
        let isThere = try await here.with(source, .production) { try await $0.exists("first") }
        #expect(isThere)
        #expect(try here.leftovers() == [])
    }

    @Test("Roles keep their numbers") func roleNumbers() async throws {
        try await here.with(source, .production) { (store) async throws in
            try await store.stored.writes.write(for: nil) { transaction in
                for name in ["first", "second", "third"] {
                    try transaction.db.run("INSERT INTO roles (name) VALUES (?)", .text(name))
                }
                try transaction.db.run("DELETE FROM roles WHERE name IN ('first', 'third')")
            }
        }
        try await here.export(source, to: "one")
        let target = try await here.accounts.containers.create(name: "target")
        try await here.take("one", into: target)
        try await here.with(target, .production) { (store) async throws in
            #expect(store.records.catalog.roles == [2: "second"])
            let next = try await store.stored.writes.write(for: nil) { transaction in
                try transaction.db.insert("INSERT INTO roles (name) VALUES ('fourth') RETURNING id")
            }
            #expect(next == 4)
        }
    }
}

extension EnvironmentStore {
    fileprivate func answers(_ questions: [String]) async throws -> [SQLValue?] {
        try await stored.reads.read { db in try questions.map { try db.first($0) { $0.value(0) } } }
    }

    fileprivate func checksum(_ name: String) async throws -> AssetKey {
        let file = try await record(name).field("file")?.object
        return try AssetKey(file.unwrapped()["fileChecksum"]?.string ?? "").unwrapped()
    }
}

extension Optional {
    fileprivate func unwrapped() throws -> Wrapped { try #require(self) }
}
