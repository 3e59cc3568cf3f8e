import CloudSQL
import TestStore
import Testing

@testable import CloudStore

@Suite(.timeLimit(.minutes(5)))
struct AssetsFolderTests {
    @Test(
        "A records file that names an outside asset folder is refused", arguments: ["../other", "/etc", "..", ".", ""])
    func elsewhere(name: String) async throws {
        let temporary = try TemporaryStore()
        try temporary.write { try AssetsFolder.set("1-development-assets", $0) }
        #expect(try temporary.read(AssetsFolder.name) == "1-development-assets")
        try temporary.write { try AssetsFolder.rename(name, $0) }
        let error = #expect(throws: SQLError.self) { try temporary.read(AssetsFolder.name) }
        #expect(error?.kind == .damaged)
        try await temporary.store.close()
    }
}
