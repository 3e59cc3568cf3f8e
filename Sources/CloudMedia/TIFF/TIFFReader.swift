import CloudModel

/// Reads a TIFF file, or a raw file of the same structure: DNG, CR2, NEF, ARW, ORF, RW2 and others.
struct TIFFReader {
    private let file: Span
    private static let mostPreviews = 64

    private enum Tag {
        static let (subfile, width, height, compression) = (0x00FE, 0x0100, 0x0101, 0x0103)
        static let (strips, lengths, preview, previewLength) = (0x0111, 0x0117, 0x0201, 0x0202)
        static let cropSize = 0xC620
        /// Values of the compression: old and new JPEG, and that of DNG.
        static let jpegs: Set<Int> = [6, 7, 34_892]
        /// Of Panasonic: the edges of the picture, and a whole JPEG.
        static let (top, left, bottom, right, jpeg) = (4, 5, 6, 7, 0x2E)
        /// Positions on the earth of the pixels of a map.
        static let map: Set<Int> = [0x830E, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1]
    }

    init(_ file: Span) { self.file = file }

    func read(_ findings: inout Findings) throws {
        findings.hasMetadata = true
        let tiff = try TIFF(file: file)
        var exif = ExifReader(tiff)
        findings.attempt { try exif.read(&$0, appliesOrientation: true) }
        let pictures = exif.pictures
        findings.attempt { findings in
            if let size = try size(of: pictures, tiff) { findings.setSize(size.width, size.height) }
        }
        findings.attempt { try readPreviews(pictures.map(\.directory), tiff, &$0) }
        if pictures.contains(where: { $0.directory.entries.contains { Tag.map.contains($0.tag) } }) {
            findings.removal.isCertain = false
        }
    }

    /// The size of the first page, unless that is a smaller one of a larger picture, as in most raw files.
    private func size(
        of pictures: [(directory: TIFF.Directory, isInner: Bool)], _ tiff: TIFF
    ) throws -> (width: Int, height: Int)? {
        var largest: (width: Int, height: Int)?
        var isWhole = false
        for (picture, isInner) in pictures {
            guard let size = try size(of: picture, tiff), Self.sides.contains(size.width),
                Self.sides.contains(size.height)
            else { continue }
            // Bits: smaller, mask, depth.
            let kind = try tiff.integer(picture[Tag.subfile]) ?? 0
            if kind & 0b1101 == 0, !isInner { return size }
            let isLarger = size.width * size.height > largest.map { $0.width * $0.height } ?? 0
            if kind & 0b1101 == 0 ? !isWhole || isLarger : !isWhole && isLarger {
                largest = size
                isWhole = kind & 0b1101 == 0
            }
        }
        return largest
    }

    private func size(of picture: TIFF.Directory, _ tiff: TIFF) throws -> (width: Int, height: Int)? {
        if tiff.isPanasonic, let top = try tiff.integer(picture[Tag.top]),
            let left = try tiff.integer(picture[Tag.left]), let bottom = try tiff.integer(picture[Tag.bottom]),
            let right = try tiff.integer(picture[Tag.right])
        {
            return (right - left, bottom - top)
        }
        if let crop = picture[Tag.cropSize], let width = try number(crop, 0, tiff),
            let height = try number(crop, 1, tiff)
        {
            return (width, height)
        }
        guard let width = try tiff.integer(picture[Tag.width]), let height = try tiff.integer(picture[Tag.height])
        else { return nil }
        return (width, height)
    }

    private static let sides = 1...1 << 20

    private func number(_ entry: TIFF.Entry, _ index: Int, _ tiff: TIFF) throws -> Int? {
        try tiff.integer(entry, index) ?? tiff.rational(entry, index).map { Int($0.rounded()) }
    }

    /// JPEGs inside, which may have EXIF of their own.
    private func readPreviews(_ pictures: [TIFF.Directory], _ tiff: TIFF, _ findings: inout Findings) throws {
        var known: Set<Int> = []
        for picture in pictures {
            var parts: [(at: Int?, length: Int?)] = [
                (try tiff.integer(picture[Tag.preview]), try tiff.integer(picture[Tag.previewLength]))
            ]
            if let strips = picture[Tag.strips], strips.count == 1,
                Tag.jpegs.contains(try tiff.integer(picture[Tag.compression]) ?? 7)
            {
                parts.append((try tiff.integer(strips), try tiff.integer(picture[Tag.lengths])))
            }
            if tiff.isPanasonic, let jpeg = picture[Tag.jpeg] { parts.append((jpeg.value, jpeg.length)) }
            for case (let at?, let length) in parts where !known.contains(at) {
                guard try file.has("\u{FF}\u{D8}", at: at) else { continue }
                known.insert(at)
                guard known.count <= Self.mostPreviews else { throw MediaFault.limit }
                JPEGReader(try file.span(at, min(length ?? .max, file.count - at))).readSecondary(&findings)
            }
        }
    }
}
