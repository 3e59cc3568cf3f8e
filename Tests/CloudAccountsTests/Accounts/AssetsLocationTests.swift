@testable import CloudAccounts
import CloudAssets
import CloudEngine
import CloudModel
import Foundation
import TestAssets
import TestEngine
import TestStore
import Testing

/// Records name contents that are in one place only.
struct AssetsPlaceTests {
    private struct Elsewhere: AssetBackend {
        let place: String
        private let memory = MemoryAssets()

        init(_ place: String) { self.place = place }

        func store(folder: String, slots: FileSlots) -> any AssetStore { memory.store(folder: folder, slots: slots) }
        func folders(beginningWith prefix: String) async throws -> [String] { [] }
        func copy(_ files: [AssetFile], from folder: String, to target: String) async throws {
            try await memory.copy(files, from: folder, to: target)
        }

        func remove(folder: String) async throws {}
        func tryOut() async throws {}
        func look() async throws {}
    }

    private static func open(_ path: String, _ place: String?) throws -> AccountStore {
        try AccountStore(
            folder: DataFolder(path: path, engine: TestEngine(), assets: place.map(Elsewhere.init)))
    }

    @Test(
        "Once an environment exists, another asset location is refused with both named",
        arguments: [("s3://one", "s3://two"), ("s3://one", nil), (nil, "s3://two")] as [(String?, String?)])
    func otherPlace(first: String?, second: String?) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        // Nothing is kept yet.
        _ = try Self.open(path, second)
        let accounts = try Self.open(path, first)
        let container = try await accounts.containers.create(name: "c")
        try await accounts.environments.noteMade(container: container.id, environment: .production)
        _ = try Self.open(path, first)
        let refusal = #expect(throws: AssetsLocation.Elsewhere.self) { _ = try Self.open(path, second) }
        let text = try #require(refusal?.description)
        #expect(text.contains(first ?? "in the data folder") && text.contains(second ?? "names the data folder"))
        _ = try Self.open(path, first)
    }
}
