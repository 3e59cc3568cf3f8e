import CloudAccounts
import CloudHTTP
import CloudPages
import CloudModel

/// The content of a console page, inside the frame.
protocol ConsoleContent: PageView {
    /// The content's template, framed by `console-layout`: `Public/templates/NAME.mustache`.
    static var template: String { get }
}

/// A console page: frame and content.
struct ConsolePage<Content: ConsoleContent>: WebPage {
    static var template: String { Content.template }

    let title: String
    /// The form guard's value.
    let form: String
    /// The navigation entries.
    let views: [ConsoleView.Link]
    let version: String
    /// Nil on a development server, which needs no sign-in.
    let `operator`: SignedInOperator?
    /// The reason why the operator's role forbids changes on this page; nil if they are permitted.
    let bound: String?
    let place: PlaceMenus?
    /// Whether the page refreshes itself.
    let isLive: Bool
    let content: Content
}

/// The operator shown below the navigation.
struct SignedInOperator: PageView {
    let email: String
    let role: String
}

extension ConsoleCall {
    /// Renders a console page.
    ///
    /// - Parameter changes: the scopes that the page's forms need; by default the scopes of the view.
    func render(
        _ content: some ConsoleContent, title: String, view: ConsoleView, place: ConsolePlace? = nil,
        changes: [ManagementScope]? = nil, isLive: Bool = false, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let shown = ConsolePage(
            title: title, form: guarded.value,
            views: ConsoleView.allCases.filter { $0 != .emulator || page.site.isDevelopment }.map {
                $0.link(current: view, place: place)
            },
            version: ProgramVersion.text,
            operator: `operator`.map { SignedInOperator(email: $0.account.handle, role: $0.role.rawValue) },
            bound: bound(by: changes ?? view.changes), place: place.map { PlaceMenus($0, view: view) }, isLive: isLive,
            content: content)
        var response = try page.site.page(shown, in: .english, status: status, packing: .templates(for: page.request))
        if let cookie = guarded.cookie { response.setCookie(cookie) }
        if view.isInsideEnvironment, status == .ok, let place, let cookie = LastPlace.cookie(for: place, self) {
            response.setCookie(cookie)
        }
        return response
    }
}
