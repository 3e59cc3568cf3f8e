import CloudPages
import CloudModel
import CloudOperations

/// The pages about an environment's schema.
enum SchemaTab: String, CaseIterable {
    case types, text, deploy, history

    var path: String { self == .types ? ConsoleView.schema.path : "/console/schema/\(rawValue)" }

    /// Links to all tabs.
    static func tabs(current: SchemaTab, _ place: ConsolePlace) -> [ConsoleTab] {
        allCases.map { tab in
            ConsoleTab(
                label: tab.rawValue.prefix(1).uppercased() + tab.rawValue.dropFirst(),
                address: place.address(tab.path), isCurrent: tab == current)
        }
    }
}

/// A line in a description of schema changes.
struct SchemaStep: PageView {
    let text: String
    let kind: String
}

extension SchemaOutcome {
    /// The change's lines, marked as added, removed or changed.
    var lines: [SchemaStep] {
        steps.flatMap { $0.text.split(separator: "\n") }.map { line in
            SchemaStep(
                text: String(line), kind: line.hasPrefix("-") ? "bad" : line.hasPrefix("+") ? "good" : "warn")
        }
    }
}
