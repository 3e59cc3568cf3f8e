import CloudModel
import CloudStore

/// The reason why somebody does not see a page, other than that there is none.
enum SharePageRefusal: Error {
    /// Expired, taken down by its owner, or not shared any more.
    case gone(hasExpired: Bool)
    case passwordNeeded(SharedPage)
    /// Only people who were invited see it, and nobody is signed in.
    case signInNeeded
    /// Signed in, not invited, and free to ask; or invited at an address that is not confirmed.
    case mayAsk(isUnverified: Bool)

    static let notFound = PageError(
        .notFound, "Page not found",
        "The link may be incomplete, or the owner has stopped sharing.", .share(.notFound))

    /// The page of those that need nothing of the visitor.
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
