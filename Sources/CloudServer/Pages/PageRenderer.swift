import CloudModel
import CloudStore

/// Renders errors as pages.
struct PageRenderer: OutcomeRenderer {
    let site: Site
    /// A link back from the page; nil for none.
    var back: PageLink?

    func refused(_ refusal: RequestRefusal, _ trace: RequestTrace) throws -> Response {
        try site.page(for: refusal.page ?? PageError(refusal.error, status: refusal.status), back: back)
    }

    func failed(_ trace: RequestTrace) throws -> Response {
        try site.page(
            for: PageError(
                .internalServerError, "Something went wrong here",
                "The server has noted it under \(trace.id). Please try again later.", .server(.fault)), back: back)
    }
}

extension MailFailure: Refusing {
    var refusal: RequestRefusal {
        var refusal = PageError(
            .serviceUnavailable, "The message could not be sent", "Please try again later.", .server(.mail),
            retryAfter: 60
        ).refusal
        refusal.remark = "a message was not sent: \(reason)"
        return refusal
    }
}

extension PageError {
    /// The error page.
    struct View: WebPage {
        static let template = "error"

        let title: String
        let text: String
        /// A link back; nil for none.
        let back: PageLink?
    }
}
