package import CloudModel

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

    /// - Parameters:
    ///   - error: its reason is shown as it is.
    ///   - known: the status, where it is not that of the code.
    init(_ error: ServerError, status known: HTTPResponse.Status? = nil) {
        let (status, title): (HTTPResponse.Status, String) =
            switch error.code {
            case .notFound, .zoneNotFound: (.notFound, "Page not found")
            case .accessDenied: (.forbidden, "You have no access to this")
            case .authenticationRequired, .authenticationFailed: (.unauthorized, "Please sign in")
            case .throttled: (.tooManyRequests, "Too many attempts")
            case .internalError: (.internalServerError, "Something went wrong here")
            default: (error.code.status, "That did not work")
            }
        self.init(known ?? status, title, error.pageText, error.cause, retryAfter: error.retryAfter)
    }
}

extension ServerError {
    /// The reason as a sentence of a page.
    var pageText: String {
        let text = reason.prefix(1).uppercased() + reason.dropFirst()
        return text.hasSuffix(".") ? text : text + "."
    }
}

extension PageError: Refusing {
    var refusal: RequestRefusal {
        let code: ServerError.Code =
            switch status {
            case .notFound: .notFound
            case .forbidden: .accessDenied
            case .unauthorized: .authenticationFailed
            case .tooManyRequests: .throttled
            default: status.code < 500 ? .badRequest : .tryAgainLater
            }
        var refusal = RequestRefusal(
            ServerError(code, "\(known: title)", cause ?? .address, retryAfter: retryAfter), status: status)
        refusal.page = self
        return refusal
    }
}
