package import CloudAccounts
package import CloudHTTP
package import CloudModel

/// Renders errors as pages.
package struct PageRenderer: OutcomeRenderer {
    package let site: Site
    /// A link back from the page; nil for none.
    package var back: PageLink?

    package init(site: Site, back: PageLink? = nil) {
        self.site = site
        self.back = back
    }

    package func refused(_ refusal: RequestRefusal, _ trace: RequestTrace) throws -> Response {
        try site.page(for: refusal.page ?? PageError(refusal.error, status: refusal.status), back: back)
    }

    package func failed(_ trace: RequestTrace) throws -> Response {
        try site.page(
            for: PageError(
                .internalServerError, "Something went wrong here",
                "The server has noted it under \(trace.id). Please try again later.", .server(.fault)), back: back)
    }
}

extension MailFailure: Refusing {
    package var refusal: RequestRefusal {
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
    package struct View: WebPage {
        package static let template = "error"

        package let title: String
        package let text: String
        /// A link back; nil for none.
        package let back: PageLink?

        package init(title: String, text: String, back: PageLink?) {
            self.title = title
            self.text = text
            self.back = back
        }
    }
}
