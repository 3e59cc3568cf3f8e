import CloudMedia
import CloudModel
import Testing

struct MovieTests {
    private func facts(_ movie: Samples.Movie) throws -> MediaFacts {
        try #require(MediaScan(MemorySource(Samples.movie(movie)))).facts
    }

    @Test("Size, length and coding are read with the movie box in front and behind", arguments: [true, false])
    func header(moovFirst: Bool) throws {
        let facts = try facts(Samples.Movie(moovFirst: moovFirst))
        #expect(facts.kind == .quickTime && facts.fault == nil)
        #expect(facts.size == ImageSize(width: 1920, height: 1080))
        #expect(facts.duration == .milliseconds(2500) && facts.codec == "avc1.640028")
        #expect(try self.facts(Samples.Movie(brand: "isom")).kind == .mp4)
    }

    @Test("A video filmed upright is higher than wide") func turned() throws {
        #expect(try facts(Samples.Movie(isTurned: true)).size == ImageSize(width: 1080, height: 1920))
    }

    @Test("The coding of HEVC has profile, tier and level") func hevc() throws {
        let configuration: [UInt8] = [1, 2, 0x20, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 153]
        let facts = try facts(Samples.Movie(entry: Bytes.box("hvcC", configuration), coding: "hvc1"))
        #expect(facts.codec == "hvc1.2.4.L153.B0")
    }

    @Test("The halves of a Live Photo have one content identifier") func identifier() throws {
        let identifier = "6B7A1D1E-2F3C-4A5B-8C6D-7E8F90A1B2C3"
        let movie = try facts(Samples.Movie(keys: [("com.apple.quicktime.content.identifier", identifier)]))
        let still = try #require(
            MediaScan(MemorySource(Samples.jpeg([Samples.exif(Exif(note: Exif.appleNote(identifier)))]))))
        #expect(movie.contentIdentifier == identifier && still.facts.contentIdentifier == identifier)
    }

    @Test("A video's header is found behind four gigabytes of pictures") func large() throws {
        let parts = Samples.movie(Samples.Movie(moovFirst: true))
        let data = Bytes.box("mdat", [UInt8](repeating: 9, count: 64)).count
        let source = SparseSource(
            head: Array(parts.prefix(28)) + Bytes.big(1, 4) + Bytes.text("mdat") + Bytes.big(5 << 30, 8),
            gap: 5 << 30 - 16, tail: Array(parts.dropFirst(28).dropLast(data)))
        let scan = try #require(MediaScan(source))
        #expect(scan.facts.duration == .milliseconds(2500) && scan.facts.fault == nil)
        #expect(scan.reads <= 4 && scan.bytesRead <= 4 << 12)
    }
}

/// Zeros between two ends.
private struct SparseSource: ByteSource {
    let head: [UInt8]
    let gap: Int
    let tail: [UInt8]

    var count: Int { head.count + gap + tail.count }

    func read(_ range: Range<Int>) -> [UInt8] {
        range.map { at in
            at < head.count ? head[at] : at < head.count + gap ? 0 : tail[at - head.count - gap]
        }
    }
}
