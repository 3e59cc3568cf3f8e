import Foundation
import Testing

/// The sections of the wire reference that comments cite.
struct ReferenceTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    @Test("Every section that the code cites is a section of docs/wire", .timeLimit(.minutes(5)))
    func citationsResolve() throws {
        let sections = try ["A": "records", "B": "access"].mapValues { page in
            let text = try String(contentsOf: Self.root.appending(path: "docs/wire/\(page).md"), encoding: .utf8)
            return Set(text.matches(of: /(?m)^#+ .* \(reference [AB] §([\d.]+)\)$/).map { String($0.output.1) })
        }
        var count = 0
        for folder in ["Sources", "Tests", "Examples/Demo/Sources"] {
            for file in try Self.swiftFiles(in: folder) {
                let text = try String(contentsOf: file, encoding: .utf8)
                for citation in text.matches(of: /[Rr]eference ([AB]) (§[\d.]*\d(?:(?:, |–)§[\d.]*\d)*)/) {
                    let letter = String(citation.output.1)
                    for section in citation.output.2.matches(of: /\d+(?:\.\d+)*/).map({ String($0.output) }) {
                        count += 1
                        #expect(
                            sections[letter]?.contains(section) == true, "\(file.path()): \(letter) §\(section)")
                    }
                }
            }
        }
        #expect(count > 100)
    }

    @Test("Every page that a comment or a command names is there", .timeLimit(.minutes(5)))
    func namedPagesExist() throws {
        var count = 0
        for folder in ["Sources", "Tests", "Examples/Demo/Sources"] {
            for file in try Self.swiftFiles(in: folder) {
                let text = try String(contentsOf: file, encoding: .utf8)
                for page in text.matches(of: /[\s(`"](docs\/[a-z\/-]+\.md)/) {
                    count += 1
                    let path = Self.root.appending(path: String(page.output.1)).path()
                    #expect(FileManager.default.fileExists(atPath: path), "\(file.path()): \(page.output.1)")
                }
            }
        }
        #expect(count > 5)
    }

    private static func swiftFiles(in folder: String) throws -> [URL] {
        let files = FileManager.default.enumerator(
            at: root.appending(path: folder), includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    }
}
