/// The handles of shares when their environment moves: they begin with its routing key, by which a link finds where it
/// leads (reference B §9.10).
struct Handles: Hashable, Sendable {
    /// The routing key where they come from.
    let old: String
    /// The routing key where they are now; the same one keeps every link good.
    let new: String

    /// A handle that came from elsewhere already stays what it is.
    func moved(_ handle: String) -> String {
        guard old != new, handle.hasPrefix(old), handle.utf8.count == ShortGUID.length else { return handle }
        return new + handle.dropFirst(old.count)
    }
}
