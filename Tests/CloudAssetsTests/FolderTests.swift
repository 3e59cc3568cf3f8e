import Foundation
import NIOCore
import Testing

@testable import CloudAssets

@Suite(.timeLimit(.minutes(5)))
struct FolderTests {
    @Test("Assets do not recreate a lost folder that must already exist")
    func lostRoot() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
        let given = DiskAssets(root: root, makesRoot: false)
        await #expect(throws: AssetFault.self) { try await given.tryOut() }
        await #expect(throws: FileFault.self) {
            _ = try await given.store(folder: "f", slots: FileSlots()).take([1])
        }
        await #expect(throws: FileFault.self) {
            try await given.copy([AssetFile(name: "0123")], from: "f", to: "g")
        }
        #expect(!FileManager.default.fileExists(atPath: root))
        try await DiskAssets(root: root).tryOut()
        try await given.tryOut()
        try FileManager.default.removeItem(atPath: root)
    }

    @Test(
        "The parent of a path is the folder that names it",
        arguments: [
            ("a", "."), ("a/b", "a"), ("/a", "/"), ("/a/b/", "/a"), ("/", "/"), ("./a", "."), ("ab", "."),
        ])
    func parents(path: String, parent: String) { #expect(Folder.parent(of: path) == parent) }
}
