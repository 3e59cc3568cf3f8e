import CloudModel
import CloudStore

/// What stands in the frame of a page of the console.
protocol ConsoleContent: PageView {
    /// The template that shows it, with `console-layout` around it: `Public/templates/NAME.mustache`.
    static var template: String { get }
}

/// A page of the console: frame and content.
struct ConsolePage<Content: ConsoleContent>: WebPage {
    static var template: String { Content.template }

    let title: String
    /// The guard of the page's forms.
    let form: String
    /// The navigation.
    let views: [ConsoleView.Link]
    let version: String
    /// Nil for somebody at the machine of a development server.
    let `operator`: SignedInOperator?
    /// The sentence on what the operator's role does not let them do here.
    let bound: String?
    let place: PlaceMenus?
    /// Whether it asks for what is new by itself.
    let isLive: Bool
    let content: Content
}

/// The operator at the foot of the navigation.
struct SignedInOperator: PageView {
    let email: String
    let role: String
}

extension ConsoleCall {
    /// A page of the console.
    ///
    /// - Parameter changes: the scopes in which its forms change something, where they are not those of the view.
    func render(
        _ content: some ConsoleContent, title: String, view: ConsoleView, place: ConsolePlace? = nil,
        changes: [ManagementScope]? = nil, isLive: Bool = false, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let shown = ConsolePage(
            title: title, form: guarded.value,
            views: ConsoleView.allCases.filter { $0 != .emulator || page.site.configuration.dev }.map {
                $0.link(current: view, place: place)
            },
            version: ProgramVersion.text,
            operator: `operator`.map { SignedInOperator(email: $0.account.email, role: $0.role.rawValue) },
            bound: bound(by: changes ?? view.changes), place: place.map { PlaceMenus($0, view: view) }, isLive: isLive,
            content: content)
        var response = try page.site.page(shown, status: status, packing: .templates(for: page.request))
        if let cookie = guarded.cookie { response.setCookie(cookie) }
        if view.isInsideEnvironment, status == .ok, let place, let cookie = LastPlace.cookie(for: place, self) {
            response.setCookie(cookie)
        }
        return response
    }
}
