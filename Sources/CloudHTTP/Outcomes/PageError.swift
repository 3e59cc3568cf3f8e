package import CloudModel

/// An error page.
package struct PageError: Error, Hashable, Sendable {
    package let status: HTTPResponse.Status
    package let title: String
    /// One or two sentences on the error and the reader's next step.
    package let text: String
    /// The cause of the refusal; nil for a page without a refusal.
    package let cause: Cause?
    /// The seconds to wait before a retry.
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
    ///   - error: supplies the reason, which is shown unchanged.
    ///   - known: overrides the status of the error's code.
    package init(_ error: ServerError, status known: HTTPResponse.Status? = nil) {
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
    /// The reason, formatted as a sentence.
    package var pageText: String {
        let text = reason.prefix(1).uppercased() + reason.dropFirst()
        return text.hasSuffix(".") ? text : text + "."
    }
}

extension PageError: Refusing {
    package var refusal: RequestRefusal {
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
