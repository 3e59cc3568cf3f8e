import CloudModel
import Testing

struct ContentTypeTests {
    @Test(
        "The media type of a file follows from its first bytes",
        arguments: [
            ("\u{FF}\u{D8}\u{FF}\u{E0}", "image/jpeg"), ("\u{89}PNG\r\n\u{1A}\n", "image/png"),
            ("GIF89a..", "image/gif"),
            ("RIFF....WEBPVP8 ", "image/webp"), ("RIFF....WAVEfmt ", "audio/wav"), ("....ftypheic", "image/heic"),
            ("....ftypavif", "image/avif"), ("....ftypqt  ", "video/quicktime"), ("....ftypisom", "video/mp4"),
            ("%PDF-1.7", "application/pdf"), ("PK\u{3}\u{4}", "application/zip"),
            ("Hello,\nworld", "text/plain; charset=utf-8"),
            ("", ContentType.unknown), ("<html>", ContentType.unknown), ("  <svg xmlns=", ContentType.unknown),
            ("<?xml version", ContentType.unknown), ("hello <script>", ContentType.unknown),
            ("a\u{0}b", ContentType.unknown),
            ("\u{FF}\u{FE}<\u{0}h\u{0}", ContentType.unknown), ("\u{EF}\u{BB}\u{BF}<html>", ContentType.unknown),
            ("....ftypcrx ", ContentType.unknown), ("II*\u{0}\u{8}\u{0}\u{0}\u{0}", ContentType.unknown),
            ("\u{0}\u{0}\u{0}\u{C}JXL \r\n\u{87}\n", ContentType.unknown), ("....ftypM4A ", "audio/mp4"),
            ("GIF", "text/plain; charset=utf-8"), ("RIFF", ContentType.unknown),
        ])
    func signatures(head: String, expected: String) {
        #expect(ContentType.sniff(head.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }) == expected)
    }

    @Test("Text whose last examined character is cut off still counts as text")
    func cutCharacter() {
        let text = Array(String(repeating: "é", count: 10_000).utf8)
        #expect(ContentType.sniff([0x61] + text) == "text/plain; charset=utf-8")
        #expect(ContentType.sniff(text.dropFirst()) == ContentType.unknown)
    }

    @Test("Only media types that cannot run scripts are shown inline") func inline() {
        for type in ["image/png", "video/mp4", "audio/mpeg", "text/plain; charset=utf-8"] {
            #expect(ContentType.isShownInPlace(type))
        }
        for type in [ContentType.unknown, "application/pdf", "application/zip", "text/html", "image"] {
            #expect(!ContentType.isShownInPlace(type))
        }
    }
}
