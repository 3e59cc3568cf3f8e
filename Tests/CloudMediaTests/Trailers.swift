/// A JPEG with the index of the multi-picture format and a second picture behind it.
enum MultiPicture {
    static func file(_ second: [UInt8]) -> [UInt8] {
        let length = Samples.jpeg([index(0, 0)]).count
        // The index begins after SOI, the marker, its length and its name.
        return Samples.jpeg([index(second.count, length - 10)]) + second
    }

    private static func index(_ length: Int, _ offset: Int) -> [UInt8] {
        let pictures = [0x030000, 0, 0, 0, 0, length, offset, 0].flatMap { Bytes.big($0, 4) }
        let directory = Exif.directory([.long(0xB001, 2), .raw(0xB002, pictures)], at: 8)
        return Samples.segment(0xE2, Bytes.text("MPF\u{0}MM\u{0}*") + Bytes.big(8, 4) + directory)
    }
}

extension Samples {
    /// A JPEG with Samsung's trailer, which holds a video or the time.
    static func samsung(_ contents: [UInt8], kind: Int = 0x0A30) -> [UInt8] {
        let name = kind == 0x0A30 ? "MotionPhoto_Data" : "Image_UTC_Data"
        let block = [0, 0] + Bytes.little(kind, 2) + Bytes.little(name.count, 4) + Bytes.text(name) + contents
        let directory =
            Bytes.text("SEFH") + Bytes.little(106, 4) + Bytes.little(1, 4) + [0, 0] + Bytes.little(kind, 2)
            + Bytes.little(block.count, 4) + Bytes.little(block.count, 4)
        return jpeg() + block + directory + Bytes.little(directory.count, 4) + text("SEFT")
    }

    private static func text(_ text: String) -> [UInt8] { Bytes.text(text) }
}
