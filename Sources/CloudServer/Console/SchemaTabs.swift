import CloudModel
import CloudOperations

/// The pages about the schema of an environment.
enum SchemaTab: String, CaseIterable {
    case types, text, deploy, history

    var path: String { self == .types ? ConsoleView.schema.path : "/console/schema/\(rawValue)" }

    /// The links to all of them.
    static func contents(current: SchemaTab, _ place: ConsolePlace) -> [PageContent] {
        allCases.map { tab in
            var content: [String: Any] = [
                "label": tab.rawValue.prefix(1).uppercased() + tab.rawValue.dropFirst(),
                "address": place.address(tab.path),
            ]
            if tab == current { content["isCurrent"] = true }
            return PageContent(content)
        }
    }
}

extension ConsolePlace {
    /// The fields by which a form names the place.
    var hidden: [PageContent] {
        [("container", container), ("environment", environment.rawValue)].map(PageContent.field)
    }
}

extension SchemaOutcome {
    /// Its lines, each with the kind of change.
    var contents: [PageContent] {
        steps.flatMap { $0.text.split(separator: "\n") }.map { line in
            PageContent([
                "text": String(line), "kind": line.hasPrefix("-") ? "bad" : line.hasPrefix("+") ? "good" : "warn",
            ])
        }
    }
}
