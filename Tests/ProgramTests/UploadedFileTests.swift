import Foundation
import NIOCore
import Testing

@testable import cumulus

/// A file that has gone or has changed since it was looked at is not uploaded in part.
struct UploadedFileTests {
    private static func count(_ file: UploadedFile) async throws -> Int {
        var count = 0
        for try await bytes in file { count += bytes.readableBytes }
        return count
    }

    @Test("A file is uploaded whole or not at all")
    func whole() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(repeating: 7, count: 600_000).write(to: url)
        let file = try UploadedFile(url.path())
        #expect(try await Self.count(file) == 600_000)
        for size in [599_999, 600_001, 0] {
            try Data(repeating: 7, count: size).write(to: url)
            await #expect(throws: Complaint.self) { try await Self.count(file) }
        }
        try FileManager.default.removeItem(at: url)
        await #expect(throws: Complaint.self) { try await Self.count(file) }
    }
}
