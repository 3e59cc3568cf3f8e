import CloudAccounts
import CloudPages
import CloudModel
import CloudOperations

/// The console's views, in navigation order.
enum ConsoleView: String, CaseIterable {
    case overview, data, schema, people
    case signIn = "sign-in"
    case shares, push, requests, settings
    case actAs = "act-as"
    /// Available on a development server only.
    case emulator

    var path: String { self == .overview ? "/console" : "/console/\(rawValue)" }

    var title: String { self == .signIn ? "Sign-in" : words }

    private var words: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst().replacing("-", with: " ") }

    /// Whether the view shows a container's environment.
    var isInsideEnvironment: Bool { [.data, .schema, .shares, .push, .actAs, .emulator].contains(self) }

    /// The scopes that the view's forms need.
    var changes: [ManagementScope] {
        switch self {
        case .data, .shares: [.recordsWrite]
        case .schema: [.schema]
        case .people: [.people]
        case .push, .settings, .signIn: [.operations]
        case .overview, .requests, .actAs, .emulator: []
        }
    }

    private var key: String {
        switch self {
        case .overview: "o"
        case .data: "d"
        case .schema: "s"
        case .people: "p"
        case .signIn: "i"
        case .shares: "h"
        case .push: "n"
        case .requests: "r"
        case .settings: "t"
        case .actAs: "a"
        case .emulator: "e"
        }
    }

    /// An SVG path on a 16 × 16 grid.
    private var icon: String {
        switch self {
        case .overview: "M2.5 10a5.5 5.5 0 1 1 11 0M8 10l2.5-3M2.5 13h11"
        case .data: "M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6"
        case .schema:
            "M6 2.5c-2 0-2 1-2 2.5S3.5 8 2.5 8C3.5 8 4 9 4 11s0 2.5 2 2.5M10 2.5c2 0 2 1 2 2.5s.5 3 1.5 3c-1 0-1.5 1-1.5 3s0 2.5-2 2.5"
        case .people: "M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5a5 5 0 0 1 10 0"
        case .signIn: "M9 2.5h4.5v11H9M2.5 8h7M7 5.5L9.5 8 7 10.5"
        case .shares:
            "M6.5 9.5l3-3M7 4.5l1.3-1.3a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.3 1.3a3 3 0 0 1-4.5-4.5L4.5 7"
        case .push: "M4 11V7a4 4 0 0 1 8 0v4l1 1.5H3zM6.5 14h3"
        case .requests: "M2.5 4.5h11M2.5 8h7M2.5 11.5h9"
        case .actAs:
            "M2 4.5c4-1.5 8-1.5 12 0 0 5-2 8-4 8-1 0-1-1.5-2-1.5s-1 1.5-2 1.5c-2 0-4-3-4-8zM5 7.5h1.5M9.5 7.5H11"
        case .emulator: "M6 2.5v4L2.8 12a1 1 0 0 0 .9 1.5h8.6a1 1 0 0 0 .9-1.5L10 6.5v-4M5 2.5h6M4.6 9.5h6.8"
        case .settings: "M2.5 4.5h6M12.5 4.5h1M2.5 11.5h1M7.5 11.5h6M10.5 2.8v3.4M5.5 9.8v3.4"
        }
    }

    /// A view's entry in the navigation.
    struct Link: PageView {
        let title: String
        let icon: String
        let key: String
        let address: String
        let isCurrent: Bool
        /// Whether narrow screens show the entry directly.
        let isShort: Bool

        init(title: String, icon: String, key: String, address: String, isCurrent: Bool, isShort: Bool) {
            self.title = title
            self.icon = icon
            self.key = key
            self.address = address
            self.isCurrent = isCurrent
            self.isShort = isShort
        }
    }

    /// The view's address, with the place if the view shows one.
    func address(_ place: ConsolePlace?) -> String { isInsideEnvironment ? place?.address(path) ?? path : path }

    func link(current: ConsoleView, place: ConsolePlace?) -> Link {
        Link(
            title: title, icon: icon, key: key, address: address(place), isCurrent: self == current,
            isShort: [.overview, .data, .schema, .people].contains(self))
    }
}
