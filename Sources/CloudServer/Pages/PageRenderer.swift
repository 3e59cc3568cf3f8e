import CloudModel
import CloudStore

/// Tells what went wrong as a page.
struct PageRenderer: OutcomeRenderer {
    let site: Site
    /// The way on from the page; nil for none.
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
    /// The page that tells what went wrong.
    struct View: WebPage {
        static let template = "error"

        let title: String
        let text: String
        /// The way on; nil for none.
        let back: PageLink?
    }
}
