import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import CloudCrypto
import TestStore
import Testing

@testable import CloudStore

/// Tokens that say nothing here are refused, never misread (reference A §8.1).
struct SyncTokenTests {
    private let tokens = SyncTokens(incarnation: 7, secret: SymmetricKey(data: Array(repeating: 1, count: 32)))

    /// Reads and makes tokens in a file that has come to position 1000 before there were epochs.
    private func file<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        let connection = try SQLiteEngine().copier.openCopy(":memory:", readonly: false)
        try connection.migrate(Migrations.all)
        return try connection.write { db in
            try db.run("UPDATE store SET position = 1000")
            return try body(db)
        }
    }

    @Test(
        "A sync token reads back as it was made",
        arguments: [
            ChangePosition.start, .forward(1), .forward(1000), .backward(floor: 0, cursor: 5, head: 9),
            .backward(floor: 3, cursor: .max, head: 1000),
        ])
    func roundTrip(position: ChangePosition) throws {
        try file { db in
            let token = try tokens.zone(42, at: position, db)
            #expect(try tokens.position(zone: 42, token, db) == position)
            #expect(Base64.decode(token) != nil && token.count % 4 == 0)
            #expect(throws: ServerError.self) { try tokens.position(zone: 43, token, db) }
            #expect(throws: ServerError.self) { try tokens.position(owner: "_alice", token, db) }
        }
    }

    @Test("A sync token with any byte changed is refused") func changedByte() throws {
        try file { db in
            let token = try #require(Base64.decode(tokens.zone(42, at: .forward(1000), db)))
            for index in token.indices {
                var forged = token
                forged[index] ^= 1
                #expect(throws: ServerError.self) { try tokens.position(zone: 42, Base64.encode(forged), db) }
            }
        }
    }

    @Test(
        "Random bytes are refused as a sync token",
        arguments: ["", "AQAA", "not base64!", "🔑", String(repeating: "A", count: 100_000), "AQEAAAAAAAAAAAAA"])
    func randomBytes(token: String) throws {
        try file { db in
            #expect(throws: ServerError.self) { try tokens.position(zone: 42, token, db) }
            #expect(throws: ServerError.self) { try tokens.position(owner: "_alice", token, db) }
        }
    }

    @Test("A token of another incarnation or store is refused") func otherStore() throws {
        let restored = SyncTokens(incarnation: 8, secret: SymmetricKey(data: Array(repeating: 1, count: 32)))
        let stranger = SyncTokens(incarnation: 7, secret: SymmetricKey(data: Array(repeating: 2, count: 32)))
        try file { db in
            let token = try tokens.zone(42, at: .forward(5), db)
            for other in [restored, stranger] {
                #expect(throws: ServerError.self) { try other.position(zone: 42, token, db) }
            }
        }
    }

    @Test("Tokens from before epochs stay valid up to the last position of that time")
    func oldTokens() throws {
        try file { db in
            func old(_ position: Int64) -> String {
                var bytes: [UInt8] = [1, 1]
                for value in [7, 42, position] as [Int64] {
                    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
                }
                let key = SymmetricKey(data: Array(repeating: 1, count: 32))
                return Base64.encode(bytes + HMAC<SHA256>.authenticationCode(for: bytes, using: key).prefix(8))
            }
            #expect(try tokens.position(zone: 42, old(1000), db) == .forward(1000))
            #expect(throws: ServerError.self) { try tokens.position(zone: 42, old(1001), db) }
            try EpochTable.insert(
                Epoch(id: 5, first: 1001, began: Timestamp(milliseconds: 70), kept: Timestamp(milliseconds: 60)), db)
            try db.run("UPDATE store SET position = 2000")
            #expect(try tokens.position(zone: 42, old(1000), db) == .forward(1000))
            let error = #expect(throws: ServerError.self) { try tokens.position(zone: 42, old(1001), db) }
            #expect(error?.restoredTo == Timestamp(milliseconds: 60))
        }
    }

    @Test("A token of another zone is refused") func otherZone() async throws {
        let store = try TemporaryStore().store
        let other = ZoneID(name: "Other", owner: "_alice")
        try await store.makeZone()
        try await store.makeZone(other)
        let strange = try TemporaryStore().store
        try await strange.makeZone()
        let refused = [
            try await store.changes(zone: other).token, try await strange.changes().token,
            try await store.zones.changes(owner: "_alice", syncToken: nil, limit: 9).syncToken,
            try await store.zones.list([.home], for: .alice)[0]?.syncToken ?? "",
        ]
        for token in refused {
            let error = await #expect(throws: ServerError.self) { try await store.changes(since: token) }
            #expect(error?.code == .badRequest)
        }
        await #expect(throws: ServerError.badRequest("cannot get changes in default zone", .place(.database))) {
            try await store.changes(zone: .home)
        }
    }
}
