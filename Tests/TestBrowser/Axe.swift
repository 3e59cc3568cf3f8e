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

    /// A line for each element that breaks a rule: rule, element, fault.
    ///
    /// - Parameters:
    ///   - only: the rules.
    ///   - others: the elements to leave out.
    static func run(_ only: String, beside others: String) -> String {
        """
        axe.run({exclude: [...document.querySelectorAll("\(others)")]}, {
            runOnly: \(only), resultTypes: ["violations"], preload: false
        }).then(found => found.violations.flatMap(({id, nodes}) => nodes.map(node =>
            `${id}: ${node.target.join(" ")}: ${node.failureSummary.replace(/\\s+/g, " ")}`)))
        """
    }

    static let all = "\(rules)"
    static let colors = #"{type: "rule", values: ["color-contrast", "link-in-text-block"]}"#
}

extension BrowserPage {
    /// The violations that axe finds in the page as it stands.
    ///
    /// The browser's own protocol brings the script in, past the content security policy.
    ///
    /// - Parameters:
    ///   - colorsOnly: true for the rules alone that a theme decides.
    ///   - others: the elements to leave out.
    package func violations(colorsOnly: Bool = false, beside others: String = ":not(*)") async throws -> [String] {
        if try await text(of: "typeof axe") == "undefined" {
            try await evaluate("\(try Axe.script.get())\n;null")
        }
        let found = try await evaluate(Axe.run(colorsOnly ? Axe.colors : Axe.all, beside: others))
        return found.array?.compactMap(\.string) ?? []
    }
}
