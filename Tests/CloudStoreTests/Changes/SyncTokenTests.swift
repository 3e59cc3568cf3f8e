import CloudModel
import Crypto
import Foundation
import Testing

@testable import CloudStore

/// Tokens that say nothing here are refused, never misread (reference A §8.1).
struct SyncTokenTests {
    private let tokens = SyncTokens(incarnation: 7, secret: SymmetricKey(data: Array(repeating: 1, count: 32)))

    @Test(arguments: [
        ChangePosition.start, .forward(1), .forward(.max), .backward(floor: 0, cursor: 5, head: 9),
        .backward(floor: 3, cursor: .max, head: .max),
    ])
    func aTokenIsReadAsItWasMade(position: ChangePosition) throws {
        let token = tokens.zone(42, at: position)
        #expect(try tokens.position(zone: 42, token) == position)
        #expect(Base64.decode(token) != nil && token.count % 4 == 0)
        #expect(throws: ServerError.self) { try tokens.position(zone: 43, token) }
        #expect(throws: ServerError.self) { try tokens.position(owner: "_alice", token) }
    }

    @Test func everyChangedByteShows() throws {
        let token = try #require(Base64.decode(tokens.zone(42, at: .forward(1000))))
        for index in token.indices {
            var forged = token
            forged[index] ^= 1
            #expect(throws: ServerError.self) { try tokens.position(zone: 42, Base64.encode(forged)) }
        }
    }

    @Test(arguments: ["", "AQAA", "not base64!", "🔑", String(repeating: "A", count: 100_000), "AQEAAAAAAAAAAAAA"])
    func noiseIsRefused(token: String) {
        #expect(throws: ServerError.self) { try tokens.position(zone: 42, token) }
        #expect(throws: ServerError.self) { try tokens.position(owner: "_alice", token) }
    }

    @Test func anotherIncarnationOrStoreIsAnother() {
        let token = tokens.zone(42, at: .forward(5))
        let restored = SyncTokens(incarnation: 8, secret: SymmetricKey(data: Array(repeating: 1, count: 32)))
        let stranger = SyncTokens(incarnation: 7, secret: SymmetricKey(data: Array(repeating: 2, count: 32)))
        for other in [restored, stranger] {
            #expect(throws: ServerError.self) { try other.position(zone: 42, token) }
        }
    }

    @Test func theStoreRefusesWhatItDidNotGiveOutForThisZone() async throws {
        let store = try TemporaryStore().store
        let other = ZoneID(name: "Other", owner: "_alice")
        try await store.makeZone()
        try await store.makeZone(other)
        let strange = try TemporaryStore().store
        try await strange.makeZone()
        let refused = [
            try await store.changes(zone: other).token, try await strange.changes().token,
            try await store.changedZones(owner: "_alice", syncToken: nil, limit: 9).syncToken,
            try await store.zones([.home], for: .alice)[0]?.syncToken ?? "",
        ]
        for token in refused {
            let error = await #expect(throws: ServerError.self) { try await store.changes(since: token) }
            #expect(error?.code == .badRequest)
        }
        await #expect(throws: ServerError.badRequest("cannot get changes in default zone")) {
            try await store.changes(zone: .home)
        }
    }

    /// Somebody puts an older copy of the file back and forgets to make it a new incarnation.
    @Test func aTokenFromAfterTheCopyWasTakenIsRefused() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        try await temporary.store.close()
        let copy = temporary.path + ".copy"
        try FileManager.default.copyItem(atPath: temporary.path, toPath: copy)

        let later = try temporary.open()
        _ = try await later.modify([operation(.create, "a")])
        let zone = try await later.changes().token
        let database = try await later.changedZones(owner: "_alice", syncToken: nil, limit: 9).syncToken
        #expect(try await later.changes(since: zone).names.isEmpty)
        try await later.close()

        try FileManager.default.removeItem(atPath: temporary.path)
        try FileManager.default.moveItem(atPath: copy, toPath: temporary.path)
        let restored = try temporary.open()
        await #expect(throws: ServerError.self) { try await restored.changes(since: zone) }
        await #expect(throws: ServerError.self) {
            try await restored.changedZones(owner: "_alice", syncToken: database, limit: 9)
        }
        #expect(try await restored.changes().names.isEmpty)
        try await restored.close()
    }
}
