import CloudModel
import Foundation
import Testing

/// Pages name what there is.
@Suite(.timeLimit(.minutes(5)))
struct DocumentTests {
    @Test("Every make target that a page names is in the Makefile")
    func makeTargets() throws {
        let makefile = try String(contentsOf: DocumentPage.root.appending(path: "Makefile"), encoding: .utf8)
        let named = Set(
            try DocumentPage.all.flatMap { page in
                page.typed.compactMap { $0.prefixMatch(of: /make ([a-z-]+)/)?.output.1 }
            })
        #expect(named.isSuperset(of: ["run", "test", "bench", "crash", "demo", "lint", "format", "image"]))
        for target in named { #expect(makefile.contains("\n\(target):"), "make \(target)") }
    }

    @Test("Every command that a page shows exists with its options")
    func commands() throws {
        var shown: [[String]: Set<String>] = [:]
        for page in try DocumentPage.all {
            for line in page.typed {
                for command in ShownCommand.all(in: line) {
                    shown[command.words, default: []].formUnion(command.options)
                }
            }
        }
        #expect(shown.count > 20)
        for (words, options) in shown {
            let help = CommandHelp.called(by: words)?.help
            #expect(help != nil, "\(words)")
            for option in options { #expect(help?.contains(option) == true, "\(words) \(option)") }
        }
    }

    @Test("The generated parts of the files are up to date", arguments: ["openapi.yaml", "docs/commands.md"])
    func generated(file: String) async throws {
        let path = DocumentPage.root.appending(path: file).path()
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("BEGIN generated: "))
        let outcome = try await Program().run(["document", "--check", path])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("The table of commands has each command with its options")
    func table() throws {
        let rows = try DocumentPage("docs/commands.md").rows.filter { $0[0].hasPrefix("`cumulus ") }
        #expect(rows.count > 60)
        let token = try #require(rows.first { $0[0] == "`cumulus token create`" })
        for option in ["--container", "--environment", "--name", "--allowed-origin", "--sign-in-callback"] {
            #expect(token[1].contains("`\(option)`"), "\(token)")
        }
        #expect(!rows.contains { $0[0].contains("cumulus document") || $0[0].contains("query-records") })
    }

    @Test("The table of settings lists exactly the settings, with variable and default")
    func settings() async throws {
        let rows = try DocumentPage("docs/settings.md").rows.filter { $0[0].hasPrefix("`") }
        let program = try Program()
        let outcome = try await program.run(["settings", "--json"])
        #expect(outcome.status == 0)
        let settings = try #require(try outcome.json.array).compactMap(\.object)
        #expect(settings.count > 10)
        let expected = try settings.map { setting in
            let name = try #require(setting["name"]?.string)
            let variable = try #require(setting["variable"]?.string)
            let standard = setting["default"]?.shown ?? ""
            return ["`\(name)`", "`\(variable)`", standard.isEmpty ? "–" : "`\(standard)`"]
        }
        let shown = rows.map { Array($0.prefix(3)) }
        for row in expected { #expect(shown.contains(row), "\(row)") }
        #expect(shown.count == expected.count)
    }

    @Test("Every relative link leads to a file, and its fragment to a heading")
    func links() throws {
        let pages = Dictionary(uniqueKeysWithValues: try DocumentPage.all.map { ($0.path, $0) })
        for page in pages.values {
            let folder = URL(filePath: "/" + page.path).deletingLastPathComponent()
            for link in page.links {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let target =
                    parts[0].isEmpty
                    ? page.path
                    : String(folder.appending(path: String(parts[0])).standardizedFileURL.path().dropFirst())
                let file = DocumentPage.root.appending(path: target).path()
                #expect(FileManager.default.fileExists(atPath: file), "\(page.path): \(link)")
                guard parts.count > 1 else { continue }
                #expect(pages[target]?.anchors.contains(String(parts[1])) == true, "\(page.path): \(link)")
            }
        }
    }

    @Test("The index of each folder links to every page in it", arguments: ["docs/", "docs/decisions/"])
    func index(folder: String) throws {
        let links = Set(try DocumentPage(folder + "README.md").links.map { folder + $0 })
        for page in try DocumentPage.all where page.path.hasPrefix(folder) {
            let name = page.path.dropFirst(folder.count)
            guard name != "README.md", !name.contains("/") else { continue }
            #expect(links.contains(page.path), "\(page.path)")
        }
    }

    @Test("README.md has at most a thousand words")
    func length() throws {
        #expect(try DocumentPage("README.md").text.split { $0.isWhitespace }.count <= 1000)
    }
}
