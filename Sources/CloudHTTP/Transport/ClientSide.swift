/// The client's sending side of a connection.
///
/// A disconnect first looks like a half-close. Polls therefore treat both as a disconnect, so as not to lose messages.
struct ClientSide {
    /// True once the client has closed its side, as far as the channel knows.
    private(set) var isInputClosed = false
    /// True once the client has closed its side, or the connection has ended.
    private(set) var isGone = false
    private var watcher: (@Sendable () -> Void)?

    /// Keeps `watcher` for ``leave()``, in place of an earlier watcher.
    ///
    /// - Returns: false if the client has closed its side already.
    mutating func watch(_ watcher: @escaping @Sendable () -> Void) -> Bool {
        if isGone { return false }
        self.watcher = watcher
        return true
    }

    /// Notes the end of the client's input.
    ///
    /// - Returns: the watcher, for the caller to call.
    mutating func endInput() -> (@Sendable () -> Void)? {
        isInputClosed = true
        return leave()
    }

    /// Notes the end of the connection.
    ///
    /// - Returns: the watcher, for the caller to call.
    mutating func leave() -> (@Sendable () -> Void)? {
        isGone = true
        return watcher.take()
    }
}
