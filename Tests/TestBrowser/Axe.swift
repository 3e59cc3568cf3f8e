import CloudModel
import Foundation

/// axe-core: the rules of accessibility that a program can check.
enum Axe {
    private static let rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../.build/axe/axe.min.js").standardized

    static let script = Result {
        do {
            return try String(contentsOf: file, encoding: .utf8)
        } catch {
            throw DevTools.Failure(description: "axe-core is missing; 'make deps-test' installs it")
        }
    }

    /// A line for each element that breaks a rule: the rule, the element, and what is wrong with it.
    static let run = """
        axe.run({
            runOnly: \(rules), resultTypes: ["violations"], preload: false
        }).then(found => found.violations.flatMap(({id, nodes}) => nodes.map(node =>
            `${id}: ${node.target.join(" ")}: ${node.failureSummary.replace(/\\s+/g, " ")}`)))
        """
}

extension BrowserPage {
    /// The violations that axe finds in the page as it stands.
    ///
    /// The browser's own protocol brings the script in, past the content security policy.
    package func violations() async throws -> [String] {
        if try await text(of: "typeof axe") == "undefined" {
            try await evaluate("\(try Axe.script.get())\n;null")
        }
        return try await evaluate(Axe.run).array?.compactMap(\.string) ?? []
    }
}
