import CloudAssets
import CloudModel
import Foundation
import TestStore
import Testing

@testable import CloudStore

@Suite(.timeLimit(.minutes(5)))
struct PreviewMakerTests {
    private static let photos = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Samples/photos").standardizedFileURL

    /// As `./data` is.
    private static func relative(_ path: String) -> String {
        let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
        return String(repeating: "../", count: depth) + path.drop { $0 == "/" }
    }

    @Test("A preview is made at the requested path, absolute or relative", arguments: [true, false])
    func place(isRelative: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let maker = try #require(PreviewMaker(mostPixels: 100_000_000, mostWaiting: 1))
        let photo = try #require(
            try FileManager.default.contentsOfDirectory(atPath: Self.photos.path()).filter { $0.hasSuffix(".jpg") }
                .min())
        let target = folder + "/small.jpg"
        let isMade = try await maker.make(.small, .jpeg, at: isRelative ? Self.relative(target) : target, for: "mei") {
            try FileReader(path: Self.photos.appending(path: photo).path(), slots: FileSlots())
        }
        #expect(isMade == .made(nil))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["small.jpg"])
    }
}
