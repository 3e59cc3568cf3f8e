import CloudHTTP
import CloudModel

/// The reason for a closed page, other than a missing page.
enum SharePageRefusal: Error {
    /// Expired, taken down by the owner, or no longer shared.
    case gone(hasExpired: Bool)
    case passwordNeeded(SharedPage)
    /// An anonymous visitor asked for a page of invited people, or came by a one-time link.
    case signInNeeded(isOneTime: Bool)
    /// Signed in but not invited, and free to ask; or invited at an unconfirmed email address.
    case mayAsk(isUnverified: Bool)

    static let notFound = PageError(
        .notFound, Phrase("refused.notFound.title"), Phrase("share.notFound"), .share(.notFound))

    /// More files than one zip may have, or than an owner may choose.
    static func tooMany(_ most: Int, setting: StaticString? = nil) -> PageError {
        PageError(.badRequest, key: "choose.tooMany", .limit(most, setting), ["count": .number(most)])
    }

    /// More files than are looked through for one request.
    static func tooLong(_ limits: Limits) -> PageError {
        let most = PageTotals.mostFiles(limits)
        return PageError(
            .badRequest, Phrase("choose.tooMany.title"), Phrase("share.farTooMany", ["count": .number(most)]),
            .limit(most))
    }

    /// A plain page for the refusal, without sign-in or password form.
    var error: PageError {
        switch self {
        case .gone(let hasExpired):
            hasExpired
                ? PageError(.gone, key: "share.expired", .credentials(.expiredLink))
                : PageError(.gone, key: "share.takenDown", .share(.closed))
        case .passwordNeeded:
            PageError(
                .forbidden, Phrase("password.title"), Phrase("password.openLink"), .credentials(.passwordNeeded))
        case .signInNeeded, .mayAsk: Self.notFound
        }
    }
}
