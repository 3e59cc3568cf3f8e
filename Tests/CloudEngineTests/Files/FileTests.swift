import CloudEngine
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FileTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()

    @Test("A held lock is refused at once, and its note can be read") func held() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let lock = try FileLock(path: path, wait: false)
        try lock.note("127.0.0.1:8080")
        #expect(throws: FileLock.Held.self) { try FileLock(path: path, wait: false) }
        #expect(FileLock.note(at: path) == "127.0.0.1:8080")
        lock.release()
        let next = try FileLock(path: path, wait: false)
        try next.note("another")
        #expect(FileLock.note(at: path) == "another")
    }

    @Test("A file is written whole or not at all") func wholeFile() throws {
        defer {
            for end in ["", LineWriter.unfinished] { try? FileManager.default.removeItem(atPath: path + end) }
        }
        do {
            let unfinished = try LineWriter(path: path)
            try unfinished.append(Array("lost".utf8))
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        try LineWriter.save(Array("kept".utf8), as: path)
        #expect(FileManager.default.contents(atPath: path) == Data("kept".utf8))
    }
}
