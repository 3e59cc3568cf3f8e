package import CloudHTTP
package import CloudModel

/// A request for a page.
package struct PageCall: Sendable {
    package let site: Site
    package let request: Request
    /// The decoded values of the route's `{name}` parts, in order.
    package let parameters: [String]
    package let query: FormFields
    /// The fields of a POST; empty otherwise.
    package let form: FormFields
    /// The address that attempts count against; nil when unknown.
    package let client: ClientAddress?
    /// Sends files over the connection.
    let sender: FileSender
    /// Sends events over the connection.
    let recipient: Recipient
    /// The visitor's language.
    package var language: PageLanguage
    /// The request's trail of decisions.
    package let trace: RequestTrace
}

extension PageCall {
    /// A text in the visitor's language.
    package func text(_ key: String, _ values: [String: PhraseValue] = [:]) -> String { language.text(key, values) }

    /// Renders a page in the visitor's language as a response.
    package func page(
        _ page: some WebPage, status: HTTPResponse.Status = .ok, policy: PagePolicy = PagePolicy(),
        packing: PagePacking = .none
    ) throws -> Response {
        try site.page(page, in: language, of: request, status: status, policy: policy, packing: packing)
    }

    /// The page that tells of an error or an outcome.
    package func page(for error: PageError) throws -> Response {
        try site.page(for: error, in: language, of: request)
    }

    /// Notes the problem with a submitted form, which is shown again.
    package func note(_ problem: PageError?) {
        if let problem, let cause = problem.cause { trace.refuse(problem.title.english, cause) }
    }
}

/// A page's endpoint. A thrown ``PageError`` becomes its own page; a `ServerError` becomes a plain page with its code's
/// status.
package typealias PageEndpoint = @Sendable (PageCall) async throws -> Response
