import CloudModel
import Testing

struct ImageSizeTests {
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8) + [0, 1, 0x86, 0xA0, 0, 0, 0, 9]
    private static let gif = Array("GIF89a".utf8) + [0x40, 1, 0xF0, 0]
    private static let frame: [UInt8] = [0xFF, 0xC2, 0, 17, 8, 0, 100, 0, 200, 3]
    private static let vp8x =
        Array("RIFF....WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0] + [0x3F, 1, 0] + [0xEF, 0, 0]

    private static func exif(orientation: UInt8, little: Bool) -> [UInt8] {
        let tiff: [UInt8] =
            little
            ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
            : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        let segment = Array("Exif".utf8) + [0, 0] + tiff
        return [0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment
    }

    @Test("The size of a picture is read from the header of each format") func headers() {
        #expect(ImageSize(Self.png, type: "image/png") == ImageSize(width: 100_000, height: 9))
        #expect(ImageSize(Self.gif, type: "image/gif") == ImageSize(width: 320, height: 240))
        #expect(ImageSize(Self.vp8x, type: "image/webp") == ImageSize(width: 320, height: 240))
        #expect(ImageSize([0xFF, 0xD8] + Self.frame, type: "image/jpeg") == ImageSize(width: 200, height: 100))
        let heic = Array("....ftypheic....ispe".utf8) + [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0] + Array("irot".utf8) + [1]
        #expect(ImageSize(heic, type: "image/heic") == ImageSize(width: 512, height: 256))
    }

    @Test(
        "A photograph turned by its Exif orientation has its displayed width and height", arguments: [true, false],
        Array<UInt8>(0...9))
    func turned(little: Bool, orientation: UInt8) {
        let jpeg = [0xFF, 0xD8] + Self.exif(orientation: orientation, little: little) + [0xFF] + Self.frame
        let isTurned = (5...8).contains(orientation)
        #expect(
            ImageSize(jpeg, type: "image/jpeg")
                == (isTurned ? ImageSize(width: 100, height: 200) : ImageSize(width: 200, height: 100)))
    }

    @Test(
        "A picture header that is cut off anywhere gives no size",
        arguments: ["image/png", "image/gif", "image/webp", "image/jpeg", "image/heic"])
    func cutHeader(type: String) {
        let whole = [
            "image/png": Self.png, "image/gif": Self.gif, "image/webp": Self.vp8x,
            "image/jpeg": [0xFF, 0xD8] + Self.exif(orientation: 6, little: true) + Self.frame.prefix(9),
        ]
        let bytes = whole[type] ?? []
        for count in 0..<bytes.count { #expect(ImageSize(Array(bytes.prefix(count)), type: type) == nil) }
        #expect(ImageSize([0xFF, 0xD8, 0xFF, 0xE0, 0, 0], type: type) == nil)
        #expect(ImageSize([UInt8](repeating: 0xFF, count: 10_000), type: type)?.pixels ?? 1 > 0)
    }
}
