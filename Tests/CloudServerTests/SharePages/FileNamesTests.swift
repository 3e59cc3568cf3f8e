import Testing

@testable import CloudServer

struct FileNamesTests {
    @Test(arguments: [
        ("Lisbon 2026", "Lisbon 2026"), ("../../etc/passwd", "etc passwd"),
        ("a/b\\c:d*e?f\"g<h>i|j", "a b c d e f g h i j"),
        ("", "file"), ("...", "file"), (".hidden", "hidden"), ("-rf", "rf"), ("con", "_con"), ("COM1.txt", "_COM1.txt"),
        ("a\u{202E}gpj.exe", "a gpj.exe"), ("line\r\nbreak\u{0}", "line break"), ("ends. . ", "ends"),
        ("日本 🇯🇵", "日本 🇯🇵"),
    ])
    func noNameLeadsAstray(text: String, name: String) {
        #expect(FileNames.safe(text) == name)
    }

    @Test func longNamesAreCutBetweenCharacters() {
        let name = FileNames.safe(String(repeating: "é", count: 200))
        #expect(name.utf8.count == 120)
    }

    @Test func noTwoFilesHaveOneNameInAnyCase() {
        var names = FileNames()
        let given = ["Photo", "photo", "PHOTO"].map { names.unique($0, extension: ".jpg") }
        #expect(given == ["Photo.jpg", "photo (2).jpg", "PHOTO (3).jpg"])
    }
}
