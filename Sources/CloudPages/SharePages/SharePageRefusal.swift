import CloudHTTP
import CloudModel

/// The reason for a closed page, other than a missing page.
enum SharePageRefusal: Error {
    /// Expired, taken down by the owner, or no longer shared.
    case gone(hasExpired: Bool)
    case passwordNeeded(SharedPage)
    /// An anonymous visitor asked for a page of invited people.
    case signInNeeded
    /// Signed in but not invited, and free to ask; or invited at an unconfirmed email address.
    case mayAsk(isUnverified: Bool)

    static let notFound = PageError(
        .notFound, "Page not found",
        "The link may be incomplete, or the owner has stopped sharing.", .share(.notFound))

    /// A plain page for the refusal, without sign-in or password form.
    var error: PageError {
        switch self {
        case .gone(let hasExpired):
            hasExpired
                ? PageError(
                    .gone, "This link has expired", "Ask the person who sent it to you for a new one.",
                    .credentials(.expiredLink))
                : PageError(
                    .gone, "This has been taken down", "The owner has stopped sharing it.", .share(.closed))
        case .passwordNeeded:
            PageError(
                .forbidden, "A password is needed", "Open the link itself to enter it.", .credentials(.passwordNeeded))
        case .signInNeeded, .mayAsk: Self.notFound
        }
    }
}
