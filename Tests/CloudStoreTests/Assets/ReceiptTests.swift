import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// The checks of reference B §8.3: what makes an asset part of a record.
struct ReceiptTests {
    private func error(
        _ temporary: TemporaryStore, _ field: String, _ type: OperationType = .forceReplace, name: String = "n",
        zone: ZoneID = .home, caller: Caller = .alice
    ) async throws -> String? {
        let result = try await temporary.store.modify(
            [operation(type, name, fields: field)], zone: zone, caller: caller)
        if let error = result.error() { #expect(error.code == .badRequest) }
        return result.error()?.reason
    }

    @Test("A receipt can be used more than once, for any record and field")
    func reuse() async throws {
        let temporary = try TemporaryStore()
        let asset = try await temporary.store.assets.upload("a")
        #expect(try await error(temporary, assetField(asset)) == nil)
        #expect(try await error(temporary, assetField(asset), name: "other") == nil)
        #expect(try await error(temporary, assetField(asset, name: "elsewhere")) == nil)
    }

    @Test("A receipt is good for its user and database only") func otherUsers() async throws {
        let temporary = try TemporaryStore()
        let asset = try await temporary.store.assets.upload("a")
        #expect(try await error(temporary, assetField(asset), zone: .world)?.contains("unknown") == true)
        let bobs = ZoneID(name: ZoneID.defaultName, owner: "_bob")
        #expect(try await error(temporary, assetField(asset), zone: bobs, caller: .bob)?.contains("unknown") == true)
        let inPublic = try await temporary.store.assets.upload(
            "a", UploadTicket(owner: ZoneID.publicOwner, user: "_alice"))
        #expect(
            try await error(temporary, assetField(inPublic), zone: .world, caller: .bob)?.contains("unknown") == true)
        #expect(try await error(temporary, assetField(inPublic), zone: .world) == nil)
    }

    @Test("An upload receipt expires after a day") func expiry() async throws {
        let temporary = try TemporaryStore()
        let asset = try await temporary.store.assets.upload("a")
        temporary.clock.pass(milliseconds: 24 * 3600 * 1000 - 1)
        #expect(try await error(temporary, assetField(asset)) == nil)
        temporary.clock.pass(milliseconds: 1)
        #expect(try await error(temporary, assetField(asset), name: "other")?.contains("expired") == true)
    }

    @Test("A receipt is good for the checksum and size of its upload only") func mismatch() async throws {
        let temporary = try TemporaryStore()
        let (one, two) = (try await temporary.store.assets.upload("a"), try await temporary.store.assets.upload("b"))
        let mixed = Asset(key: one.key, size: 1, receipt: two.receipt)
        #expect(try await error(temporary, assetField(mixed))?.contains("fileChecksum") == true)
        let shrunk = Asset(key: one.key, size: 2, receipt: one.receipt)
        #expect(try await error(temporary, assetField(shrunk))?.contains("size") == true)
        let invented = Asset(key: one.key, size: 1, receipt: "AAAA")
        #expect(try await error(temporary, assetField(invented))?.contains("unknown") == true)
        #expect(try await error(temporary, assetField(one, receipt: false))?.contains("there is none") == true)
    }

    @Test("A fetched asset value can be saved back into its field without a receipt") func savedBack() async throws {
        let temporary = try TemporaryStore()
        let asset = try await temporary.store.assets.upload("a")
        _ = try await error(temporary, assetField(asset))
        temporary.clock.pass(milliseconds: 48 * 3600 * 1000)
        #expect(try await error(temporary, assetField(asset, receipt: false)) == nil)
        #expect(try await error(temporary, assetField(asset)) == nil)
        #expect(try await error(temporary, assetField(asset, name: "b", receipt: false), .forceUpdate) != nil)
        #expect(try await error(temporary, assetField(asset, receipt: false), name: "other") != nil)
        #expect(try await error(temporary, #"{"x": {"value": 1}}"#, .forceUpdate) == nil)
        #expect(try await temporary.store.record("n", zone: .home).field("file") != nil)
        #expect(try await error(temporary, #"{"file": {"value": null}}"#, .forceUpdate) == nil)
        #expect(try await temporary.store.record("n", zone: .home).field("file") == nil)
    }

    @Test("The answer of assets/rereference is a receipt") func rereference() async throws {
        let temporary = try TemporaryStore()
        let asset = try await temporary.store.assets.upload("a")
        _ = try await error(temporary, assetField(asset))
        let again = try await temporary.store.assets.rereference([asset.key, nil], owner: "_bob", user: "_bob")
        #expect(again.count == 2 && again[1] == nil)
        let bobs = ZoneID(name: ZoneID.defaultName, owner: "_bob")
        let bobsOwn = try #require(again[0])
        #expect(try await error(temporary, assetField(bobsOwn), zone: bobs, caller: .bob) == nil)
    }
}
