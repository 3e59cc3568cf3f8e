package import CloudModel

/// One request for a page.
package struct PageCall: Sendable {
    package let site: Site
    package let request: Request
    /// The values in the place of each `{name}` of the route, in order, decoded.
    package let parameters: [String]
    package let query: FormFields
    /// The fields of a POST; empty otherwise.
    package let form: FormFields
    /// The client that attempts are counted against; nil when the connection does not tell.
    package let client: ClientAddress?
    /// Sends files through the connection.
    let sender: FileSender
    /// The decisions on its way.
    let trace: RequestTrace
}

extension PageCall {
    /// Notes what was wrong with a form, which is shown anew.
    func note(_ problem: PageError?) {
        if let problem, let cause = problem.cause { trace.refuse(problem.title, cause) }
    }
}

/// The endpoint of a page: takes a call and returns an answer. Errors become pages of their own: a ``PageError`` the
/// one it describes, a `ServerError` a plain one with the status of its code.
package typealias PageEndpoint = @Sendable (PageCall) async throws -> Response
