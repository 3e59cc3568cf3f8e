import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Bounds on the disk that one user's uploads take while no record names them.
struct UnclaimedUploadTests {
    private static let most = 12_000

    private func store() throws -> TemporaryStore {
        var limits = Limits()
        limits.assets.unclaimedBytes = Self.most
        return try TemporaryStore(limits: limits)
    }

    private func used(_ temporary: TemporaryStore, _ user: String = "_alice") async throws -> Int64 {
        try await temporary.store.stored.reads.read { db in try UnclaimedUploads.bytes(of: user, db) }
    }

    private static func text(_ letter: String, _ count: Int = 5000) -> String {
        String(repeating: letter, count: count)
    }

    @Test("Uploads beyond the limit are refused with the size and the limit, and leave no file")
    func uploadsAreBounded() async throws {
        let temporary = try store()
        for letter in ["a", "b"] { _ = try await temporary.store.assets.upload(Self.text(letter)) }
        let error = await #expect(throws: ServerError.self) { try await temporary.store.assets.upload(Self.text("c")) }
        #expect(error?.code == .quotaExceeded)
        #expect(error?.reason.contains("15000 bytes, at most 12000 are allowed (limit.unclaimedUploadBytes)") == true)
        #expect(try await temporary.count("assets") == 2)
        #expect(try await used(temporary) == 10_000)
        // Others have their own.
        _ = try await temporary.store.assets.upload(Self.text("c"), UploadTicket(owner: "_bob", user: "_bob"))
        #expect(try await used(temporary, "_bob") == 5000)
    }

    @Test("A small upload counts as four kilobytes")
    func smallOnesCount() async throws {
        let temporary = try store()
        for letter in ["a", "b"] { _ = try await temporary.store.assets.upload(letter) }
        #expect(try await used(temporary) == 8192)
        await #expect(throws: ServerError.self) { try await temporary.store.assets.upload("c") }
    }

    @Test("A claimed upload does not count, and a released one counts again")
    func recordsClaim() async throws {
        let temporary = try store()
        let store = temporary.store
        let asset = try await store.assets.upload(Self.text("a"))
        for name in ["n", "m"] {
            _ = try await store.modify([operation(.create, name, fields: assetField(asset))], zone: .home)
        }
        #expect(try await used(temporary) == 0)
        // The same bytes again are no more on disk.
        _ = try await store.assets.upload(Self.text("a"))
        #expect(try await used(temporary) == 0)
        _ = try await store.modify([operation(.forceDelete, "n")], zone: .home)
        #expect(try await used(temporary) == 0)
        _ = try await store.modify([operation(.forceDelete, "m")], zone: .home)
        #expect(try await used(temporary) == 10_000, "two receipts")
    }

    @Test("A collected upload does not count, and a user at the limit is refused before sending bytes")
    func collectionFrees() async throws {
        let temporary = try store()
        let store = temporary.store
        for letter in ["a", "b"] { _ = try await store.assets.upload(Self.text(letter, 6000)) }
        await #expect(throws: ServerError.self) {
            try await store.assets.checkRoom(of: "_alice", owner: "_alice", from: nil)
        }
        try await store.assets.checkRoom(of: "_bob", owner: "_bob", from: nil)
        temporary.clock.pass(milliseconds: ReceiptTable.lifetime.components.seconds * 1000)
        #expect(try await store.assets.collect() == 2)
        #expect(try await used(temporary) == 0)
        try await store.assets.checkRoom(of: "_alice", owner: "_alice", from: nil)
    }

    @Test("Receipts for stored but unclaimed assets count as uploads")
    func rereferencesCount() async throws {
        let temporary = try store()
        let asset = try await temporary.store.assets.upload(Self.text("a"))
        _ = try await temporary.store.assets.rereference([asset.key], owner: "_alice", user: "_alice")
        #expect(try await used(temporary) == 10_000)
        await #expect(throws: ServerError.self) {
            try await temporary.store.assets.rereference([asset.key], owner: "_alice", user: "_alice")
        }
    }

    @Test("Unclaimed uploads from one address are bounded, across users")
    func addressesAreBounded() async throws {
        var limits = Limits()
        limits.assets.unclaimedBytesPerAddress = Self.most
        let temporary = try TemporaryStore(limits: limits)
        let store = temporary.store
        func ticket(_ user: String) -> UploadTicket { UploadTicket(owner: user, user: user) }
        let first = try await store.assets.upload(Self.text("a"), from: "192.0.2.1")
        _ = try await store.assets.upload(Self.text("b"), ticket("_bob"), from: "192.0.2.1")
        let error = await #expect(throws: ServerError.self) {
            try await store.assets.upload(Self.text("c"), ticket("_carol"), from: "192.0.2.1")
        }
        #expect(error?.code == .throttled && error?.retryAfter == 3600)
        #expect(
            error?.reason.contains(
                "15000 bytes, at most 12000 are allowed (limit.unclaimedUploadBytesPerAddress)") == true)
        #expect(try await temporary.count("assets") == 2)
        // Others, and commands, have none of that.
        for (letter, address) in [("d", "192.0.2.2"), ("e", nil)] {
            _ = try await store.assets.upload(Self.text(letter), ticket("_dan"), from: address)
        }
        _ = try await store.modify([operation(.create, "n", fields: assetField(first))], zone: .home)
        _ = try await store.assets.upload(Self.text("c"), ticket("_carol"), from: "192.0.2.1")
        await #expect(throws: ServerError.self) {
            _ = try await store.assets.upload(Self.text("f", 2001), ticket("_eve"), from: "192.0.2.1")
        }
        // What a record lets go of counts again.
        _ = try await store.modify([operation(.forceDelete, "n")], zone: .home)
        let full = await #expect(throws: ServerError.self) {
            try await store.assets.checkRoom(of: "_eve", owner: "_eve", from: "192.0.2.1")
        }
        #expect(full?.code == .throttled)
        temporary.clock.pass(milliseconds: ReceiptTable.lifetime.components.seconds * 1000)
        _ = try await store.assets.collect()
        #expect(try await temporary.count("upload_addresses") == 0)
        try await store.assets.checkRoom(of: "_eve", owner: "_eve", from: "192.0.2.1")
    }
}
