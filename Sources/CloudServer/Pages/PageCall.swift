package import CloudModel
import HTTPTypes
package import Hummingbird

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

/// A page that says why there is nothing else to show.
package struct PageError: Error, Hashable, Sendable {
    package let status: HTTPResponse.Status
    package let title: String
    /// An explanation of what happened and what the reader can do, in a sentence or two.
    package let text: String
    /// The decision that refused; nil for a page that refuses nothing.
    package let cause: Cause?
    /// Seconds until it is worth trying again.
    package let retryAfter: Int?

    package init(
        _ status: HTTPResponse.Status, _ title: String, _ text: String, _ cause: Cause?, retryAfter: Int? = nil
    ) {
        self.cause = cause
        self.status = status
        self.title = title
        self.text = text
        self.retryAfter = retryAfter
    }

    /// - Parameter error: its reason is shown as it is.
    init(_ error: ServerError) {
        let (status, title): (HTTPResponse.Status, String) =
            switch error.code {
            case .notFound, .zoneNotFound: (.notFound, "There is nothing here")
            case .accessDenied: (.forbidden, "This is not open to you")
            case .authenticationRequired, .authenticationFailed: (.unauthorized, "Please sign in")
            case .throttled: (.tooManyRequests, "Too many attempts")
            case .internalError: (.internalServerError, "Something went wrong here")
            default: (error.code.status, "That did not work")
            }
        let reason = error.reason.prefix(1).uppercased() + error.reason.dropFirst()
        self.init(
            status, title, reason.hasSuffix(".") ? reason : reason + ".", error.cause, retryAfter: error.retryAfter)
    }
}
