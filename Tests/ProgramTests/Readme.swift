import Foundation

/// The text of README.md, and what it tells people to type.
struct Readme {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL

    let text: String
    let makefile: String

    init() throws {
        text = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        makefile = try String(contentsOf: Self.root.appending(path: "Makefile"), encoding: .utf8)
    }

    /// The blocks of one kind, in order; `""` for those that do not say theirs.
    func blocks(_ kind: String) -> [String] {
        var blocks: [String] = []
        var open: (kind: Substring, lines: [Substring])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let block = open {
                if line == "```" {
                    if block.kind == kind { blocks.append(block.lines.joined(separator: "\n")) }
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                open = (line.dropFirst(3), [])
            }
        }
        return blocks
    }

    /// The rows of the table of commands: what is called, and the options it is said to have.
    var commands: [(words: [[String]], options: [String])] {
        text.split(separator: "\n").filter { $0.hasPrefix("| `cumulus ") }.map { row in
            let cells = row.replacing("\\|", with: "/").split(separator: "|")
            let name = cells[0].split(separator: "`")[1].split(separator: " ").dropFirst()
                .filter { $0.allSatisfy { $0.isLowercase || $0 == "/" || $0 == "-" } }
            let words = name.reduce([[]]) { calls, word in
                calls.flatMap { call in word.split(separator: "/").map { call + [String($0)] } }
            }
            return (words, row.matches(of: /--[a-z-]+/).map { String($0.output) })
        }
    }
}
