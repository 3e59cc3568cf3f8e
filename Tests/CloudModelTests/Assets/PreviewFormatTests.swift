import CloudModel
import Testing

struct PreviewFormatTests {
    @Test(
        "AVIF is for those who ask for it by name",
        arguments: [
            ("image/jxl,image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", true),
            ("image/avif,image/webp,*/*", true), ("IMAGE/AVIF ; q=0.1", true), ("image/avif;q=0", false),
            ("image/avif;q=0.0, */*", false), ("image/avif;q=x", false), ("image/*", false), ("*/*", false),
            ("", false), (nil, false),
        ] as [(String?, Bool)])
    func accept(header: String?, isAVIF: Bool) {
        #expect(PreviewFormat(accept: header) == (isAVIF ? .avif : .jpeg))
    }

    @Test("Covers and formats with transparent pixels are JPEGs")
    func used() {
        for size in PreviewSize.allCases {
            #expect(PreviewFormat.avif.used(for: size, of: "image/png") == .jpeg)
            #expect(PreviewFormat.jpeg.used(for: size, of: "image/jpeg") == .jpeg)
            #expect(PreviewFormat.avif.used(for: size, of: "image/heic") == (size == .cover ? .jpeg : .avif))
        }
    }

    @Test("A preview's size fits its bounds and enlarges nothing")
    func sizes() {
        let camera = ImageSize(width: 6000, height: 4000)
        let expected: [PreviewSize: (Int, Int)] = [
            .tile: (400, 400), .small: (320, 213), .medium: (1024, 682), .large: (2048, 1365), .cover: (1200, 630),
        ]
        for (size, (width, height)) in expected {
            #expect(size.size(of: camera) == ImageSize(width: width, height: height))
            #expect(size.size(of: ImageSize(width: 300, height: 200)) == ImageSize(width: 300, height: 200))
        }
        #expect(PreviewSize.tile.size(of: ImageSize(width: 600, height: 300)) == ImageSize(width: 400, height: 300))
        #expect(PreviewSize.large.size(of: ImageSize(width: 9000, height: 1)) == ImageSize(width: 2048, height: 1))
    }
}
