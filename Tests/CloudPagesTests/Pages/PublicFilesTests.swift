import CloudHTTP
import TestCloud
import Foundation
import Testing

@Suite("The pages in the program", .timeLimit(.minutes(5))) struct PublicFilesTests {
    private static let root = TestServer.publicFolder.standardizedFileURL

    /// The folders of `Public` and those below them.
    private static func folders() throws -> [String] {
        let found = try #require(
            FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isDirectoryKey]))
        return try found.compactMap { $0 as? URL }
            .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
            .map { String($0.standardizedFileURL.path().dropFirst(root.path().count).trimmingPrefix("/")) }
    }

    @Test("The program contains exactly the files of Public on disk")
    func embedded() throws {
        let folders = try Self.folders()
        #expect(folders.count > 4)
        for folder in folders {
            let held = try PublicFiles(folder: nil).files(in: folder)
            let read = try PublicFiles(folder: Self.root.path()).files(in: folder)
            #expect(held.map(\.name) == read.map(\.name), "run Scripts/list-public.sh")
            for (held, read) in zip(held, read) { #expect(held.bytes == read.bytes, "\(folder)\(held.name)") }
        }
    }

    @Test("A working folder is used in place of the embedded files")
    func folder() throws {
        let copy = FileManager.default.temporaryDirectory.appending(path: "public-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.copyItem(at: Self.root, to: copy)
        try Data("body { color: red }".utf8).write(to: copy.appending(path: "static/cumulus.css"))
        let styles = { (source: PublicFiles) in
            try source.files(in: "static").first { $0.name == "cumulus.css" }?.bytes
        }
        #expect(try styles(PublicFiles(folder: copy.path())) == Data("body { color: red }".utf8))
        #expect(try styles(PublicFiles(folder: nil)) != Data("body { color: red }".utf8))
    }
}
