import CloudModel
import Hummingbird

/// The page around a table of requests or queries: kinds as tabs, and the search that each of them keeps.
struct RequestsPage {
    enum Kind: CaseIterable {
        case all, refused, slow, slowest

        fileprivate var label: String {
            switch self {
            case .all: "All"
            case .refused: "Refused"
            case .slow: "Slow"
            case .slowest: "Slowest queries"
            }
        }

        fileprivate var path: String { self == .slowest ? "/console/queries" : ConsoleView.requests.path }

        /// What an address of this kind has besides its path.
        fileprivate var parameter: String? {
            switch self {
            case .all, .slowest: nil
            case .refused: "refused"
            case .slow: "slow"
            }
        }
    }

    let search: RequestSearch
    let kind: Kind

    func render(_ call: ConsoleCall, _ sheet: Sheet) async throws -> Response {
        var content: [String: Any] = [
            "tabs": Kind.allCases.map { tab in
                var content: [String: Any] = ["label": tab.label, "address": Self.address(search.text, tab)]
                if tab == kind { content["isCurrent"] = true }
                return PageContent(content)
            },
            "value": search.text ?? "", "hidden": kind.parameter.map { [PageContent.field($0, "true")] } ?? [],
            "words": search.words.map { word in
                PageContent([
                    "kind": word.kind.rawValue, "text": word.text,
                    "without": Self.address(search.without(word), kind),
                ])
            },
            "sheets": [sheet.content(form: call.guarded.value)],
        ]
        if !search.words.isEmpty { content["hasWords"] = true }
        if kind != .slowest { content["isLive"] = true }
        return try call.render(
            "console-requests", "Requests", view: .requests, place: try await call.place(), content)
    }

    private static func address(_ search: String?, _ kind: Kind) -> String {
        ConsoleAddress.make(kind.path, [("matching", search)] + (kind.parameter.map { [($0, "true")] } ?? []))
    }
}
