import Foundation
import Testing

@Suite("The order of folders", .timeLimit(.minutes(20)))
struct FolderOrderTests {
    @Test(
        "No folder of a target depends on itself through others",
        arguments: ["CloudAccounts", "CloudEngine", "CloudModel", "CloudStore", "CloudTransfer"])
    func order(target: String) throws {
        let folders = try FolderGraph(of: target)
        #expect(folders.count >= 3)
        #expect(folders.cycle.isEmpty, "\(folders.cycle.joined(separator: "; "))")
    }
}

/// The folders of a target, and the types by which each names another. Files directly in the target are composition and may
/// name every folder.
private struct FolderGraph {
    /// Names of types, by the folder that mentions them, then by the folder that declares them.
    private var edges: [String: [String: Set<String>]] = [:]

    private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

    init(of target: String) throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/\(target)")
            .standardized
        var texts: [(folder: String, words: Set<Substring>)] = []
        var homes: [Substring: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path())
        where path.hasSuffix(".swift") && path.contains("/") {
            let folder = String(path.prefix { $0 != "/" })
            let code = Self.code(try String(contentsOf: sources.appending(path: path), encoding: .utf8))
            for line in code where line.first?.isLetter == true {
                let words = Self.words(line)
                guard let kind = words.firstIndex(where: Self.kinds.contains), kind + 1 < words.count else { continue }
                homes[words[kind + 1]] = folder
            }
            texts.append((folder, Set(code.flatMap(Self.words).filter { $0.first?.isUppercase == true })))
        }
        for text in texts {
            if edges[text.folder] == nil { edges[text.folder] = [:] }
            for word in text.words {
                guard let home = homes[word], home != text.folder else { continue }
                edges[text.folder, default: [:]][home, default: []].insert(String(word))
            }
        }
    }

    var count: Int { edges.count }

    /// The dependencies among folders that lie on a cycle; empty without a cycle.
    var cycle: [String] {
        var left = Set(edges.keys)
        while true {
            let ends = left.filter { folder in
                left.isDisjoint(with: edges[folder]?.keys.map(\.self) ?? [])
                    || !left.contains { edges[$0]?[folder] != nil }
            }
            if ends.isEmpty { break }
            left.subtract(ends)
        }
        return left.sorted().flatMap { from in
            left.sorted().compactMap { to in
                edges[from]?[to].map { "\(from) uses \($0.sorted().joined(separator: ", ")) of \(to)" }
            }
        }
    }

    /// The lines without comments and texts.
    private static func code(_ text: String) -> [Substring] {
        var isText = false
        return text.split(separator: "\n").compactMap { line in
            if line.ranges(of: "\"\"\"").count % 2 == 1 {
                isText.toggle()
                return nil
            }
            guard !isText else { return nil }
            let code = line.ranges(of: "//").first.map { line[..<$0.lowerBound] } ?? line
            guard code.contains("\"") else { return code }
            return Substring(
                code.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: " "))
        }
    }

    private static func words(_ line: Substring) -> [Substring] {
        line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    }
}
