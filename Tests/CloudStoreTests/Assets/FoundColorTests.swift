import CloudAssets
import CloudModel
import Foundation
import TestStore
import Testing

@testable import CloudStore

/// Colors that are found of tiles.
@Suite(.timeLimit(.minutes(5)))
struct FoundColorTests {
    private static let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]

    private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(bytes.count)] + Array(name.utf8) + bytes + [0, 0, 0, 0]
    }

    /// A PNG of one pixel, whose bytes are not packed.
    private static func png(kind: UInt8, depth: UInt8 = 8, _ samples: [UInt8], block: UInt8 = 1) -> [UInt8] {
        let count = UInt8(samples.count + 1)
        return head + chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, depth, kind, 0, 0, 0])
            + chunk("IDAT", [8, 29, block, count, 0, ~count, 255, 0] + samples + [0, 0, 0, 0])
    }

    @Test("The color of a pixel is read from a PNG that is not packed") func pixels() {
        let color = PictureColor(red: 200, green: 100, blue: 50)
        #expect(PictureColor(png: Self.png(kind: 2, [200, 100, 50])) == color)
        #expect(PictureColor(png: Self.png(kind: 6, [200, 100, 50, 255])) == color)
        let gray = PictureColor(red: 90, green: 90, blue: 90)
        #expect(PictureColor(png: Self.png(kind: 0, [90])) == gray)
        #expect(PictureColor(png: Self.png(kind: 4, [90, 255])) == gray)
    }

    @Test("Anything else has no color, however it is cut") func others() {
        let good = Self.png(kind: 2, [200, 100, 50])
        let bad = [
            Self.png(kind: 2, depth: 16, [200, 100, 50]), Self.png(kind: 3, [200, 100, 50]),
            Self.png(kind: 2, [200, 100, 50], block: 3), Self.head, [], Array("<svg/>".utf8),
            Self.head + Self.chunk("IHDR", Array(repeating: 8, count: 13)),
            Array(good.prefix(33)) + [0x7F, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8),
        ]
        for bytes in bad { #expect(PictureColor(png: bytes) == nil) }
        for count in good.indices { _ = PictureColor(png: Array(good.prefix(count))) }
        for index in good.indices {
            var bytes = good
            bytes[index] = ~bytes[index]
            _ = PictureColor(png: bytes)
        }
    }

    private func color(_ picture: String, _ format: PreviewFormat) async throws -> PreviewOutcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let photo = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Samples/photos/\(picture).jpg").standardizedFileURL.path()
        let maker = try #require(PreviewMaker(mostPixels: 100_000_000, mostWaiting: 1))
        let outcome = try await maker.make(.tile, format, at: "\(folder)/tile", for: "mei", findsColor: true) {
            try FileReader(path: photo)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "tile" } == [])
        return outcome
    }

    @Test(
        "A tile tells the mean color of what it shows",
        arguments: [
            ("astronaut", PictureColor(red: 147, green: 107, blue: 95)),
            ("coffee", PictureColor(red: 154, green: 80, blue: 49)),
            ("moon", PictureColor(red: 113, green: 113, blue: 113)),
        ])
    func photos(name: String, expected: PictureColor) async throws {
        for format in PreviewFormat.allCases {
            let outcome = try await color(name, format)
            #expect(outcome == .made(expected))
        }
    }
}
