import CloudModel
import TestStore
import Testing

@testable import CloudStore

struct HeldAssetTests {
    /// The size of what a field holds already is known, and not the client's to change.
    @Test("An asset saved back with another size is refused") func size() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let asset = try await temporary.store.assets.upload("abc")
        #expect(try await temporary.store.modify([operation(.create, "n", fields: assetField(asset))]).error() == nil)
        let lie = Asset(key: asset.key, size: 1 << 40)
        let refused = try await temporary.store.modify([
            operation(.forceUpdate, "n", fields: assetField(lie, receipt: false))
        ])
        #expect(refused.error()?.code == .badRequest)
        let same = try await temporary.store.modify([
            operation(.forceUpdate, "n", fields: assetField(asset, receipt: false))
        ])
        #expect(same.error() == nil)
    }
}
