import Testing

@testable import CloudAssets

struct FolderTests {
    @Test(
        "The parent of a path is the folder that names it",
        arguments: [
            ("a", "."), ("a/b", "a"), ("/a", "/"), ("/a/b/", "/a"), ("/", "/"), ("./a", "."), ("ab", "."),
        ])
    func parents(path: String, parent: String) { #expect(Folder.parent(of: path) == parent) }
}
