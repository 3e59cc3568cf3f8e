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
        guard let kind = try? Self.kind(of: file) else { return nil }
        var findings = Findings(MediaFacts(kind: kind))
        findings.attempt { findings in
            switch kind {
            case .jpeg: try JPEGReader(file).read(&findings)
            case .png: try PNGReader(file).read(&findings)
            case .webp: try WebPReader(file).read(&findings)
            case .heic, .avif: try StillReader(file).read(&findings)
            case .mp4, .quickTime: try MovieReader(file).read(&findings)
            case .webM: try WebMReader(file).read(&findings)
            }
        }
        findings.finish()
        facts = findings.facts
        removal = findings.removal
        hasMetadata =
            findings.hasMetadata || facts.size != nil || facts.duration != nil || !removal.patches.isEmpty
        reads = reader.reads
        bytesRead = reader.bytesRead
    }

    private static func kind(of file: Span) throws -> MediaKind? {
        if try file.has("\u{FF}\u{D8}\u{FF}") { return .jpeg }
        if try file.has("\u{89}PNG\r\n\u{1A}\n") { return .png }
        if try file.has("RIFF"), try file.has("WEBP", at: 8) { return .webp }
        if try file.has("\u{1A}\u{45}\u{DF}\u{A3}") { return .webM }
        guard try file.has("ftyp", at: 4) else { return nil }
        let brands = try Self.brands(file)
        switch brands.first {
        case "qt  ": return .quickTime
        case "M4A ", "M4B ": return nil
        case "avif", "avis": return .avif
        case "heic", "heix", "hevc", "hevx", "heim", "heis": return .heic
        case "mif1", "msf1", "miaf": return brands.contains { $0 == "avif" || $0 == "avis" } ? .avif : .heic
        default: return .mp4
        }
    }

    /// The major brand, then the compatible ones.
    private static func brands(_ file: Span) throws -> [String] {
        let end = min(try file.big(0, 4), file.count, 256)
        return try [8].appending(contentsOf: stride(from: 16, through: end - 4, by: 4)).map { try file.code($0) }
    }
}

extension Array {
    fileprivate func appending(contentsOf more: some Sequence<Element>) -> [Element] { self + more }
}
