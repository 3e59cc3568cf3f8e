package import CloudModel

/// An error page.
package struct PageError: Error, Hashable, Sendable {
    package let status: HTTPResponse.Status
    package let title: Phrase
    /// One or two sentences on the error and the reader's next step.
    package let text: Phrase
    /// The cause of the refusal; nil for a page without a refusal.
    package let cause: Cause?
    /// The seconds to wait before a retry.
    package let retryAfter: Int?

    package init(
        _ status: HTTPResponse.Status, _ title: Phrase, _ text: Phrase, _ cause: Cause?, retryAfter: Int? = nil
    ) {
        self.cause = cause
        self.status = status
        self.title = title
        self.text = text
        self.retryAfter = retryAfter
    }

    /// - Parameters:
    ///   - key: the common beginning of two keys of texts, `KEY.title` and `KEY.text`.
    ///   - values: the values of the text's placeholders.
    package init(
        _ status: HTTPResponse.Status, key: String, _ cause: Cause?, _ values: [String: PhraseValue] = [:],
        retryAfter: Int? = nil
    ) {
        self.init(status, Phrase("\(key).title"), Phrase("\(key).text", values), cause, retryAfter: retryAfter)
    }

    /// An error of the console, whose language is English.
    package init(
        _ status: HTTPResponse.Status, english title: String, _ text: String, _ cause: Cause?, retryAfter: Int? = nil
    ) {
        self.init(status, .english(title), .english(text), cause, retryAfter: retryAfter)
    }

    /// - Parameters:
    ///   - error: supplies the reason. English pages show it unchanged, others a sentence of their own.
    ///   - known: overrides the status of the error's code.
    package init(_ error: ServerError, status known: HTTPResponse.Status? = nil) {
        let (status, key): (HTTPResponse.Status, String) =
            switch error.code {
            case .notFound, .zoneNotFound: (.notFound, "refused.notFound")
            case .accessDenied: (.forbidden, "refused.noAccess")
            case .authenticationRequired, .authenticationFailed: (.unauthorized, "refused.signIn")
            case .throttled: (.tooManyRequests, "refused.tooMany")
            case .internalError: (.internalServerError, "refused.fault")
            case .tryAgainLater: (error.code.status, "refused.later")
            default: (error.code.status, "refused.other")
            }
        self.init(
            known ?? status, Phrase("\(key).title"), .reason(error.pageText, otherwise: Phrase("\(key).text")),
            error.cause, retryAfter: error.retryAfter)
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
            ServerError(code, "\(known: title.english)", cause ?? .address, retryAfter: retryAfter), status: status)
        refusal.page = self
        return refusal
    }
}
