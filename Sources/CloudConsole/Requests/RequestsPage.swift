import CloudHTTP
import CloudPages
import CloudModel

/// The page around a table of requests or queries: a tab for each kind, and a search shared by the tabs.
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

        /// The query parameter of this kind's address.
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

    /// - Parameter isLive: whether the page shows the latest requests and refreshes itself.
    func render(_ call: ConsoleCall, _ sheet: Sheet, isLive: Bool) async throws -> Response {
        let content = Content(
            tabs: Kind.allCases.map {
                ConsoleTab(label: $0.label, address: Self.address(search.text, $0), isCurrent: $0 == kind)
            },
            value: search.text ?? "",
            hidden: kind.parameter.map { [FilledField(name: $0, value: "true")] } ?? [],
            hasWords: !search.words.isEmpty,
            words: search.words.map {
                Content.Word(
                    kind: $0.kind.rawValue, text: $0.text, without: Self.address(search.without($0), kind))
            },
            sheets: [SheetView(sheet, now: call.now)])
        return try call.render(
            content, title: "Requests", view: .requests, place: try await call.place(), isLive: isLive)
    }

    /// The address of another page with the same search and kind.
    func address(_ place: [(String, String?)]) -> String {
        ConsoleAddress.make(
            kind.path, [("matching", search.text)] + (kind.parameter.map { [($0, "true")] } ?? []) + place)
    }

    private static func address(_ search: String?, _ kind: Kind) -> String {
        ConsoleAddress.make(kind.path, [("matching", search)] + (kind.parameter.map { [($0, "true")] } ?? []))
    }

    struct Content: ConsoleContent {
        static let template = "console-requests"

        let tabs: [ConsoleTab]
        /// The search text.
        let value: String
        let hidden: [FilledField]
        let hasWords: Bool
        let words: [Word]
        let sheets: [SheetView]

        init(
            tabs: [ConsoleTab], value: String, hidden: [FilledField], hasWords: Bool, words: [Word], sheets: [SheetView]
        ) {
            self.tabs = tabs
            self.value = value
            self.hidden = hidden
            self.hasWords = hasWords
            self.words = words
            self.sheets = sheets
        }

        struct Word: PageView {
            let kind: String
            let text: String
            /// The address of the search without this word.
            let without: String
        }
    }
}
