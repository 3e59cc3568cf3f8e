import CloudModel
import Foundation
import Testing

final class ProgramVersionTests {
    private let folder: URL
    private var program: String { folder.appending(path: "program").path() }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: program))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func note(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: program + ".commit")) }

    @Test(
        "The commit file beside the program gives the program's commit",
        arguments: ["808664d", String(repeating: "0a", count: 20), "808664d-dirty"])
    func commitFile(commit: String) throws {
        #expect(ProgramVersion.commit(of: program) == nil)
        try note(commit + "\n")
        #expect(ProgramVersion.commit(of: program) == commit)
    }

    @Test("Text that is not a commit is ignored in the commit file", arguments: ["", "main", "808664d\nmore", "<b>"])
    func notACommit(text: String) throws {
        try note(text)
        #expect(ProgramVersion.commit(of: program) == nil)
    }

    @Test("A commit file older than the program is ignored") func olderNote() throws {
        try note("808664d")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 10)], ofItemAtPath: program)
        #expect(ProgramVersion.commit(of: program) == nil)
    }
}
