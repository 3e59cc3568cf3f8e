import CloudModel

/// One walk through the metadata of a file, which finds its facts and the bytes that tell its place.
package struct MediaScan: Sendable {
    package let facts: MediaFacts
    package let removal: PlaceRemoval
    /// True if the file has any metadata, broken or not. Other files only begin like a picture or a video.
    package let hasMetadata: Bool
    /// Reads of the source and their bytes.
    package let reads: Int
    package let bytesRead: Int

    /// Nil if the file is no picture or video of a known kind.
    package init?(_ source: any ByteSource, limits: ReadLimits = ReadLimits()) {
        let reader = BoundedReader(source, limits: limits)
        let file = Span(reader)
        guard let kind = try? MediaKind(file) else { return nil }
        var findings = Findings(MediaFacts(kind: kind))
        findings.attempt { findings in
            try Self.read(file, kind, &findings)
        }
        findings.finish()
        facts = findings.facts
        removal = findings.removal
        hasMetadata =
            findings.hasMetadata || facts.size != nil || facts.duration != nil || !removal.patches.isEmpty
        reads = reader.reads
        bytesRead = reader.bytesRead
    }

    private static func read(_ file: Span, _ kind: MediaKind, _ findings: inout Findings) throws {
        switch kind {
        case .jpeg: try JPEGReader(file).read(&findings)
        case .png: try PNGReader(file).read(&findings)
        case .webp: try WebPReader(file).read(&findings)
        case .gif: try GIFReader(file).read(&findings)
        case .tiff: try TIFFReader(file).read(&findings)
        case .photoshop: try PhotoshopReader(file).read(&findings)
        case .fujifilm: try RAFReader(file).read(&findings)
        case .jpegXL: try JPEGXLReader(file).read(&findings)
        case .jpeg2000: try JPEG2000Reader(file).read(&findings)
        case .heic, .avif: try StillReader(file).read(&findings)
        case .mp4, .quickTime, .mpegSound: try MovieReader(file).read(&findings)
        case .canon: try MovieReader(file).readRaw(&findings)
        case .webM: try WebMReader(file).read(&findings)
        case .riff: try RIFFReader(file).read(&findings)
        case .transport: try TransportReader(file).read(&findings)
        case .raw:
            findings.hasMetadata = true
            findings.removal.isCertain = false
        }
    }
}
