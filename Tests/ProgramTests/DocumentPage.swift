import Foundation

/// A page of the documentation.
struct DocumentPage {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL

    /// Every page: those beside README.md, and all of `docs/`.
    static var all: [DocumentPage] {
        get throws {
            let docs = FileManager.default.enumerator(atPath: root.appending(path: "docs").path())
            let paths = (docs?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }.sorted()
            let others = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Samples/README.md"]
            return try (others + paths.map { "docs/" + $0 }).map { try DocumentPage($0) }
        }
    }

    /// From the root of the sources.
    let path: String
    let text: String
    /// The lines outside of blocks.
    let prose: String
    private let allBlocks: [(kind: Substring, text: String)]

    init(_ path: String) throws {
        self.path = path
        text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        var blocks: [(kind: Substring, text: String)] = []
        var prose: [Substring] = []
        var open: (kind: Substring, lines: [Substring])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let block = open, line == "```" {
                blocks.append((block.kind, block.lines.joined(separator: "\n")))
                open = nil
            } else if open != nil {
                open?.lines.append(line)
            } else if line.hasPrefix("```") {
                open = (line.dropFirst(3), [])
            } else {
                prose.append(line)
            }
        }
        self.prose = prose.joined(separator: "\n")
        allBlocks = blocks
    }

    /// The blocks of one kind, in order: a language, or a language and how the block is run, such as `python run`.
    func blocks(_ kind: String) -> [String] { allBlocks.filter { $0.kind == kind }.map(\.text) }

    /// What stands behind the fences of blocks.
    var kinds: Set<String> { Set(allBlocks.map { String($0.kind) }) }

    /// The pages that a reader of this one comes from: those that it "goes on from".
    var before: [DocumentPage] {
        get throws {
            let folder = URL(filePath: "/" + path).deletingLastPathComponent()
            return try text.matches(of: /go(?:es)? on from\s+(?:the|those of)\s+\[[^\]]+\]\(([^)#]+)\)/).map {
                try DocumentPage(String(folder.appending(path: $0.output.1).standardizedFileURL.path().dropFirst()))
            }
        }
    }

    /// The names that links use for the headings.
    var anchors: Set<String> {
        Set(
            prose.matches(of: /^#+ (.+)$/.anchorsMatchLineEndings()).map { heading in
                heading.output.1.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    .replacing(" ", with: "-")
            })
    }

    /// Relative links, and the pictures of HTML.
    var links: [Substring] {
        let pictures = prose.matches(of: /src(?:set)?="([^":]+)"/).map(\.output.1)
        return prose.matches(of: /\]\(([^):]+)\)/).map(\.output.1) + pictures
    }

    /// The rows of tables, by the cells between their bars.
    var rows: [[String]] {
        prose.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
            row.replacing("\\|", with: "/").split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// Lines that are typed, and what the prose has of the kind.
    var typed: [Substring] {
        let lines = (blocks("") + blocks("sh") + blocks("text")).flatMap { $0.split(separator: "\n") }
        return lines + prose.matches(of: /`([^`\n]+)`/).map(\.output.1)
    }
}
