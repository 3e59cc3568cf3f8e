import CLinux
import NIOCore

/// The client's sending side of a connection.
///
/// A disconnect first looks like a half-close. Polls therefore treat both as a disconnect, so as not to lose messages.
struct ClientSide {
    /// The connection's socket, once asked for: to find it takes as long as to answer a poll. Nil within for a stream of HTTP/2.
    private var socket: NIOBSDSocket.Handle??
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

    /// True if the client has closed its side. The system may know before the channel has read the end. A socket still
    /// accepts bytes for such a client, which would be lost.
    mutating func hasFinishedSending(_ channel: any Channel) -> Bool {
        if socket == nil {
            socket = .some(
                try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (handle: NIOBSDSocket.Handle) in
                    handle
                })
        }
        guard channel.isActive, case .some(.some(let handle)) = socket else { return false }
        return clinux_is_connected(handle) == 0
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
