import CloudHTTP
import CloudPages
import CloudModel

/// An error page inside the console's frame, so that the navigation stays available.
enum RefusalPage {
    /// - Throws: errors that are no refusals, and refusals that cannot be shown inside the frame.
    static func make(_ error: any Error, _ call: ConsoleCall) async throws -> Response {
        if error is NoContainer { return try await NewContainerView.page(call, isFirst: true) }
        guard case .refused(let refusal) = Outcome(error) else { throw error }
        let page = refusal.page ?? PageError(refusal.error, status: refusal.status)
        // Refusals with a remark are logged by the outer error handler.
        guard page.status != .unauthorized, refusal.remark == nil else { throw error }
        refusal.note(in: call.page.trace)
        let view = view(of: call.page.request.path)
        // The named container may not exist.
        let named = try? await call.place()
        let place = if let named { named } else { try? await call.place(of: FormFields("".utf8)) }
        var response = try call.render(
            Content(
                title: page.title.english, text: page.text.english,
                back: PageLink(label: "To \(view.title)", address: view.address(place))),
            title: page.title.english, view: view, place: place, status: page.status)
        refusal.decorate(&response)
        if let seconds = page.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    /// The view of a path; the overview for paths without a view.
    private static func view(of path: Substring) -> ConsoleView {
        let name = path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        return switch name {
        case "record", "records", "file", "rehearsal", "deletion", "export", "import", "api": .data
        case "person", "download": .people
        case "request", "queries": .requests
        default: ConsoleView(rawValue: name) ?? .overview
        }
    }

    struct Content: ConsoleContent {
        static let template = "console-refusal"

        let title: String
        let text: String
        /// A link to a working page.
        let back: PageLink

        init(title: String, text: String, back: PageLink) {
            self.title = title
            self.text = text
            self.back = back
        }
    }
}

/// An unknown console path.
enum NothingHere {
    static let show = ConsoleGate.admitting(isForm: false) { _ in
        throw PageError(
            .notFound, english: "Nothing is here", "The address may be misspelt, or what it led to has been deleted.",
            .address)
    }
}
