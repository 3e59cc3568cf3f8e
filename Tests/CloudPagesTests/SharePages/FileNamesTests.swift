@testable import CloudPages
import Testing

struct FileNamesTests {
    @Test(
        "File names of downloads have no path and no control characters",
        arguments: [
            ("Lisbon 2026", "Lisbon 2026"), ("../../etc/passwd", "etc passwd"),
            ("a/b\\c:d*e?f\"g<h>i|j", "a b c d e f g h i j"),
            ("", "file"), ("...", "file"), (".hidden", "hidden"), ("-rf", "rf"), ("con", "_con"),
            ("COM1.txt", "_COM1.txt"),
            ("a\u{202E}gpj.exe", "a gpj.exe"), ("line\r\nbreak\u{0}", "line break"), ("ends. . ", "ends"),
            ("日本 🇯🇵", "日本 🇯🇵"),
        ])
    func safeNames(text: String, name: String) {
        #expect(FileNames.safe(text) == name)
    }

    @Test(
        "A file name has one extension, which fits the contents",
        arguments: [
            ("temple.jpg", "image/jpeg", "temple.jpg"), ("temple", "image/jpeg", "temple.jpg"),
            ("IMG_1.JPEG", "image/jpeg", "IMG_1.JPEG"), ("IMG_1.HEIC", "image/jpeg", "IMG_1.jpg"),
            ("v1.2", "image/jpeg", "v1.2.jpg"), ("evil.exe", "image/jpeg", "evil.exe.jpg"),
            (".jpg", "image/jpeg", "jpg.jpg"), ("report.docx", "application/zip", "report.docx"),
            ("table.csv", "text/plain; charset=utf-8", "table.csv"), ("a.sh", "text/plain; charset=utf-8", "a.sh.txt"),
            ("disk.img", "application/octet-stream", "disk.img"), ("dance.mov", "video/quicktime", "dance.mov"),
        ])
    func oneEnding(text: String, type: String, name: String) {
        #expect(FileNames.name(text, type: type) == name)
    }

    @Test("A distinguishing mark is put before the extension")
    func ending() {
        #expect(FileNames.name("temple.jpg", type: "image/jpeg", mark: "a1") == "temple a1.jpg")
    }

    @Test("Long file names are cut between characters") func longNames() {
        let name = FileNames.safe(String(repeating: "é", count: 200))
        #expect(name.utf8.count == 120)
    }

    @Test("Files of a zip have different names, letter case aside") func zipNames() {
        var names = FileNames()
        let given = ["Photo", "photo", "PHOTO.jpg"].map { names.unique($0, type: "image/jpeg") }
        #expect(given == ["Photo.jpg", "photo (2).jpg", "PHOTO (3).jpg"])
    }
}
