import CloudAccounts
import CloudAssets
import CloudEngine
import CloudModel
import NIOCore
import TestStore
import Testing
import TestAssets

@testable import CloudStore
@testable import CloudTransfer

/// All that a person has is in their export, and nothing of anybody else's.
@Suite(.timeLimit(.minutes(10)))
struct PersonExportTests {
    private let fixture = Result { try AccountFixture() }

    private final class Memory: ByteSink {
        var bytes = ByteBuffer()
        /// Bytes after which the reader has left.
        var room = Int.max

        struct Gone: Error {}

        func write(_ piece: ByteBuffer) async throws {
            guard bytes.readableBytes + piece.readableBytes <= room else { throw Gone() }
            bytes.writeImmutableBuffer(piece)
        }
    }

    private func export(_ world: PersonWorld, of email: String = PersonWorld.email) async throws -> ZipContents {
        let account = try #require(try await world.accounts.users.find(email: email))
        let memory = Memory()
        try await PersonExport(of: account, accounts: world.accounts, stores: world.stores).write(to: memory)
        return try ZipContents(Array(memory.bytes.readableBytesView))
    }

    private func names(_ zip: ZipContents, _ list: PersonList) throws -> [String] {
        try zip.lines("c-development/\(list.rawValue).jsonl").compactMap {
            $0["record"]?.object?["recordName"]?.string
        }
    }

    @Test("An export has all of the person's data and none of another person's")
    func completeExport() async throws {
        let world = try await PersonWorld(fixture.get())
        try await world.fill()
        let zip = try await export(world)
        #expect(
            zip.names
                == [
                    "account.json", "c-development/contributions.jsonl", "c-development/devices.jsonl",
                    "c-development/key-values.jsonl", "c-development/memberships.jsonl",
                    "c-development/records.jsonl", "c-development/shares.jsonl",
                    "c-development/subscriptions.jsonl", "c-development/zones.jsonl", "contents.json",
                ])
        // The share record has a random name.
        #expect(Set(try names(zip, .records)).isSuperset(of: ["a", "h"]))
        #expect(try names(zip, .contributions) == ["_alice", "of_alice"])
        let owners = try zip.lines("c-development/zones.jsonl").map { $0["zoneID"]?.object?["ownerRecordName"]?.string }
        #expect(owners == ["_alice", "_alice"])
        let joined = try #require(try zip.lines("c-development/memberships.jsonl").first)
        #expect(joined["zoneID"]?.object?["ownerRecordName"]?.string == "_bob")
        #expect(try zip.lines("c-development/key-values.jsonl").map { $0["key"]?.string } == ["k"])
        let account = try #require(try zip.lines("account.json").first)
        #expect(account["email"]?.string == PersonWorld.email && account["sessions"]?.array?.count == 1)
        for (name, bytes) in zip.files where !["memberships", "shares", "records"].contains(where: name.contains) {
            #expect(!String(decoding: bytes, as: UTF8.self).contains("_bob"), "\(name)")
        }
        try await world.close()
    }

    @Test("An export of a person without an address has the people at providers that the account is connected to")
    func identities() async throws {
        let world = try await PersonWorld(fixture.get())
        try await world.fill()
        let now = world.accounts.now()
        let alice = try #require(try await world.accounts.users.find(email: PersonWorld.email))
        try await world.accounts.database.pool.write { db in
            try PersonIdentity.insert(
                issuer: "https://id.example", subject: "s1", provider: "id", email: "a@id.example", account: alice.id,
                now: now, in: db)
        }
        _ = try await world.accounts.users.setAddress(nil, email: alice.idText)
        let memory = Memory()
        let person = try #require(try await world.accounts.users.find(id: alice.id))
        try await PersonExport(of: person, accounts: world.accounts, stores: world.stores).write(to: memory)
        let zip = try ZipContents(Array(memory.bytes.readableBytesView))
        let account = try #require(try zip.lines("account.json").first)
        #expect(account["email"] == nil)
        let identity = account["identities"]?.array?.first?.object
        #expect(identity?["issuer"]?.string == "https://id.example" && identity?["subject"]?.string == "s1")
        #expect(identity?["email"]?.string == "a@id.example")
        try await world.close()
    }

    @Test("Long lists have each line once, without records of other people")
    func longLists() async throws {
        let world = try await PersonWorld(fixture.get())
        try await world.fill()
        let store = try await world.store()
        let (alice, bob) = (Caller.user(recordName: "_alice"), Caller.user(recordName: "_bob"))
        let wanted = (0..<1200).map { "n\($0)" }
        for start in stride(from: 0, to: wanted.count, by: 200) {
            let part = wanted[start..<start + 200].map { operation(.create, $0) }
            _ = try await store.modify(part, zone: .notes, caller: alice)
            _ = try await store.modify(part, zone: .world, caller: start % 400 == 0 ? alice : bob)
        }
        let zip = try await export(world)
        let own = try names(zip, .records).filter { $0.hasPrefix("n") }
        #expect(own.count == 1200 && Set(own) == Set(wanted))
        let made = try names(zip, .contributions).filter { $0.hasPrefix("n") }
        #expect(
            made.count == 600
                && Set(made) == Set(wanted.enumerated().filter { $0.offset / 200 % 2 == 0 }.map(\.element)))
        let contents = try #require(try zip.lines("contents.json").first)
        let counts = contents["environments"]?.array?.first?.object?["counts"]?.object
        #expect(counts?["contributions"]?.integer == 602 && counts?["zones"]?.integer == 2)
        try await world.close()
    }

    @Test("Each asset is one file, and lost assets are named")
    func assets() async throws {
        let world = try await PersonWorld(fixture.get())
        try await world.fill()
        let store = try await world.store()
        let (kept, lost) = (try await store.assets.upload("kept"), try await store.assets.upload("lost"))
        for (name, asset) in [("x", kept), ("y", kept), ("z", lost)] {
            _ = try await store.modify([operation(.create, name, fields: assetField(asset))], zone: .notes)
        }
        let theirs = try await store.assets.upload("Bob's", UploadTicket(owner: "_bob", user: "_bob"))
        _ = try await store.modify(
            [operation(.create, "w", fields: assetField(theirs))], zone: ZoneID(name: "Notes", owner: "_bob"),
            caller: .user(recordName: "_bob"))
        let file = try #require(try await store.stored.reads.read { try AssetTable.find(lost.key, $0)?.file })
        try await store.stored.assets.delete(file)
        let zip = try await export(world)
        let files = zip.files.filter { $0.key.contains("/assets/") }
        #expect(
            files.mapValues { String(decoding: $0, as: UTF8.self) } == [
                "c-development/assets/\(kept.key.text).txt": "kept"
            ])
        let contents = try #require(try zip.lines("contents.json").first?["environments"]?.array?.first?.object)
        #expect(
            contents["assets"]?.integer == 1
                && contents["missingAssets"]?.array?.map(\.string) == [lost.key.fileChecksum])
        try await world.close()
    }

    @Test("Contributions to a shared zone are exported while the person is a member")
    func sharedZones() async throws {
        let world = try await PersonWorld(fixture.get())
        try await world.fill()
        let store = try await world.store()
        let (zone, alice) = (ZoneID(name: "Notes", owner: "_bob"), Caller.user(recordName: "_alice"))
        let result = try await store.modify([operation(.create, "hers")], zone: zone, caller: alice)
        #expect(result.errors == [nil])
        #expect(try await names(export(world), .contributions) == ["_alice", "of_alice", "hers"])
        _ = try await store.shares.leave([zone], as: "_alice", clientID: nil, limits: Limits())
        #expect(try await names(export(world), .contributions) == ["_alice", "of_alice"])
        try await world.close()
    }

    @Test("Closing the download ends the export, and an account without data has an export")
    func leaving() async throws {
        let world = try await PersonWorld(fixture.get())
        try await world.fill()
        let account = try #require(try await world.accounts.users.find(email: PersonWorld.email))
        let memory = Memory()
        memory.room = 1000
        let export = PersonExport(of: account, accounts: world.accounts, stores: world.stores)
        await #expect(throws: Memory.Gone.self) { try await export.write(to: memory) }
        _ = try await world.accounts.users.create(email: "noor@example.com")
        let empty = try await self.export(world, of: "noor@example.com")
        #expect(empty.names == ["account.json", "contents.json"])
        try await world.close()
    }
}
