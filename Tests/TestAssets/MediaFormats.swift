// Files of rarer formats with the metadata.
extension MediaFile {
    /// Those whose place can be removed.
    package static let formats = ["TIFF", "GIF", "JPEG XL", "JPEG 2000", "RAF", "PSD", "M4A", "AVI"]
    /// Those whose place stays.
    package static let unreadFormats = ["BigTIFF", "CR3", "compressed JPEG XL"]

    /// A file of a format by its name; nil for other names.
    package func file(_ format: String) -> [UInt8]? {
        switch format {
        case "TIFF": exif
        case "BigTIFF": Array("MM\0+".utf8) + [0, 8, 0, 0] + Self.big(16, 8) + exif
        case "GIF": gif
        case "JPEG XL": jpegXL(Self.box("Exif", Self.big(0, 4) + exif))
        case "compressed JPEG XL": jpegXL(Self.box("brob", Array("Exif".utf8) + [7, 7, 7]))
        case "JPEG 2000":
            signature("jP  ") + Self.box("jp2h", Self.box("ihdr", Self.big(300, 4) + Self.big(400, 4) + Self.big(0, 6)))
                + Self.box("uuid", Array("JpgTiffExif->JP2".utf8) + exif)
        case "RAF": raf
        case "PSD": psd
        case "M4A": movie(brand: "M4A ")
        case "CR3": movie(brand: "crx ")
        case "AVI":
            Array("RIFF".utf8) + little(12 + packet.count) + Array("AVI _PMX".utf8) + little(packet.count) + packet
        default: nil
        }
    }

    private func little(_ value: Int) -> [UInt8] { Self.big(value, 4).reversed() }

    private func signature(_ type: String) -> [UInt8] { Self.box(type, [0x0D, 0x0A, 0x87, 0x0A]) }

    private func jpegXL(_ metadata: [UInt8]) -> [UInt8] {
        signature("JXL ") + metadata + Self.box("jxlc", [0xFF, 0x0A, 7, 7])
    }

    /// XMP.
    private var packet: [UInt8] {
        let place = hasPlace ? " exif:GPSLatitude=\"52,30.0N\" exif:GPSLongitude=\"13,24.0E\"" : ""
        let text =
            "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF><rdf:Description "
            + "xmlns:exif=\"http://ns.adobe.com/exif/1.0/\"\(place)/></rdf:RDF></x:xmpmeta>"
        return Array(text.utf8) + [UInt8](repeating: 0x20, count: text.utf8.count & 1)
    }

    private var gif: [UInt8] {
        let head = Array("GIF89a".utf8) + [0x90, 1, 0x2C, 1, 0, 0, 0]
        let trailer: [UInt8] = [1] + (0...255).reversed() + [0]
        return head + [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + packet + trailer + [0x3B]
    }

    private var raf: [UInt8] {
        let picture = photo()
        let head = Array("FUJIFILMCCD-RAW 0201".utf8)
        let numbers = [108, picture.count, 108 + picture.count, 4, 108 + picture.count, 4]
        return head + [UInt8](repeating: 0, count: 84 - head.count) + numbers.flatMap { Self.big($0, 4) } + picture
            + Self.big(0, 4)
    }

    private var psd: [UInt8] {
        let resource =
            Array("8BIM".utf8) + [4, 0x22, 0, 0] + Self.big(exif.count, 4) + exif
            + [UInt8](repeating: 0, count: exif.count & 1)
        let head = Array("8BPS".utf8) + [0, 1, 0, 0, 0, 0, 0, 0, 0, 3]
        return head + Self.big(300, 4) + Self.big(400, 4) + [0, 8, 0, 3] + Self.big(0, 4) + Self.big(resource.count, 4)
            + resource + Self.big(0, 4)
    }
}
