import CloudAssets
import CloudMedia
import CloudModel
import Foundation
import TestAssets
import Testing

@testable import CloudStore

/// Pictures in every position and of wide colors, as visitors see them: the pixels of their previews.
@Suite(.timeLimit(.minutes(5)))
struct PictureCorpusTests {
    private static let corpus = Task { try await PictureCorpus() }

    /// The previews of pictures, made as the server makes them.
    private static func previews(of pictures: [Data], _ format: PreviewFormat = .jpeg) async throws -> [Data] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let maker = try #require(PreviewMaker(mostPixels: 1_000_000, mostWaiting: 1))
        var previews: [Data] = []
        for picture in pictures {
            let (source, target) = (folder.appending(path: "source"), folder.appending(path: "preview"))
            try picture.write(to: source)
            let made = try await maker.make(.medium, format, at: target.path(), for: "mei") {
                try FileReader(path: source.path())
            }
            #expect(made == .made(nil))
            previews.append(try Data(contentsOf: target))
        }
        return previews
    }

    private static func isNear(_ color: [UInt8], _ other: [UInt8]) -> Bool {
        zip(color, other).allSatisfy { abs(Int($0) - Int($1)) <= 24 }
    }

    @Test("A picture of any format is shown the right way round, in each of the eight orientations")
    func orientations() async throws {
        let corpus = try await Self.corpus.value
        let cases = PictureCorpus.formats.flatMap { format in (1...8).map { (format: format, orientation: $0) } }
        let pictures = cases.map { corpus.picture($0.format, orientation: $0.orientation) }
        let seen = try await PictureCorpus.colors(of: try await Self.previews(of: pictures))
        for ((format, orientation), (picture, look)) in zip(cases, zip(pictures, seen)) {
            let (width, height) = PictureCorpus.size
            let expected = orientation > 4 ? (height, width) : (width, height)
            #expect((look.width, look.height) == expected, "\(format) \(orientation)")
            let facts = try #require(MediaScan(MemorySource([UInt8](picture)))).facts
            #expect(facts.size == ImageSize(width: look.width, height: look.height), "\(format) \(orientation)")
            // Which of the four it is; how true colors are is looked at below.
            let seen = look.quarters.map { color in color.map { $0 < 128 ? UInt8.min : .max } }
            let quarters = (PictureCorpus.shown[orientation] ?? []).map { PictureCorpus.quarters[$0] }
            #expect(seen == quarters, "\(format) \(orientation): \(look.quarters)")
        }
    }

    @Test("Colors without a profile are the same in previews, and gray is gray") func plainColors() async throws {
        let corpus = try await Self.corpus.value
        let pictures = PictureCorpus.formats.map { corpus.picture($0, orientation: 1) } + corpus.gray.values
        let looks = try await PictureCorpus.colors(of: pictures)
        for format in [PreviewFormat.jpeg, .avif] {
            let seen = try await PictureCorpus.colors(of: try await Self.previews(of: pictures, format))
            for (look, preview) in zip(looks, seen) {
                let pairs = zip(look.quarters.joined(), preview.quarters.joined())
                let isSame = pairs.allSatisfy { abs(Int($0) - Int($1)) <= 4 }
                #expect(isSame, "\(format): \(look.quarters) \(preview.quarters)")
            }
        }
    }

    @Test("Colors of Display P3 are the same in previews, which are sRGB") func wideColors() async throws {
        let corpus = try await Self.corpus.value
        let names = corpus.wide.keys.sorted()
        let pictures = names.compactMap { corpus.wide[$0] }
        // Red is another number in these colors.
        let wide = try await PictureCorpus.colors(of: pictures)
        #expect(wide.count == 4 && wide.allSatisfy { !Self.isNear($0.quarters[0], PictureCorpus.quarters[0]) })
        for format in [PreviewFormat.jpeg, .avif] {
            let seen = try await PictureCorpus.colors(of: try await Self.previews(of: pictures, format))
            for (name, look) in zip(names, seen) {
                let isSame = zip(look.quarters, PictureCorpus.quarters).allSatisfy(Self.isNear)
                #expect(isSame, "\(name), \(format): \(look.quarters)")
            }
        }
    }
}
