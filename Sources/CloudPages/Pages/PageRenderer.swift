package import CloudAccounts
package import CloudHTTP
package import CloudModel

/// Renders errors as pages.
package struct PageRenderer: OutcomeRenderer {
    package let site: Site
    /// The refused request.
    package let request: Request
    /// A link back from the page; nil for none.
    package var back: PageLink?

    package init(site: Site, request: Request, back: PageLink? = nil) {
        self.site = site
        self.request = request
        self.back = back
    }

    package func refused(_ refusal: RequestRefusal, _ trace: RequestTrace) throws -> Response {
        try page(for: refusal.page ?? PageError(refusal.error, status: refusal.status))
    }

    package func failed(_ trace: RequestTrace) throws -> Response {
        try page(
            for: PageError(
                .internalServerError, Phrase("refused.fault.title"),
                Phrase("error.fault.text", ["id": .text("\(trace.id)")]), .server(.fault)))
    }

    private func page(for error: PageError) throws -> Response {
        // Links back lead to the console, whose language is English.
        let language = back == nil ? site.language(of: request) : .english
        var response = try site.page(for: error, in: language, of: request, back: back)
        site.keepLanguage(of: request, in: &response)
        return response
    }
}

extension MailFailure: Refusing {
    package var refusal: RequestRefusal {
        var refusal = PageError(.serviceUnavailable, key: "error.mail", .server(.mail), retryAfter: 60).refusal
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
