import CloudModel
import Foundation
import TestCloud
import Testing

/// A folder of an operator's texts in a language that is like English, with each word 40 % longer.
struct LongTexts {
    /// A language that has no texts yet, and English's plural forms.
    static let tag = "sv"

    let folder: URL

    init() throws {
        let english = try Data(contentsOf: TestServer.publicFolder.appending(path: "texts/en.json"))
        let members = try #require(try JSONParser.parse(Array(english)).object?.members)
        folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var writer = JSONWriter()
        writer.value(
            .object(
                JSONObject(
                    members.map { .init(key: $0.key, value: $0.key.hasPrefix("@") ? $0.value : Self.longer($0.value)) })
            ))
        try Data(writer.bytes).write(to: folder.appending(path: "\(Self.tag).json"))
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    private static func longer(_ value: JSONValue) -> JSONValue {
        if let text = value.string { return .string(longer(text)) }
        return .object(
            JSONObject((value.object?.members ?? []).map { .init(key: $0.key, value: longer($0.value)) }))
    }

    /// Repeats the beginning of each word, and leaves placeholders as they are.
    static func longer(_ text: String) -> String {
        text.replacing(#/\{\w+\}|\p{L}+/#) { match in
            let word = match.output
            return word.hasPrefix("{") ? String(word) : word + word.prefix((word.count * 2 + 4) / 5).lowercased()
        }
    }
}
