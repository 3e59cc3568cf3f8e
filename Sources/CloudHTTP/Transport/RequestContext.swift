package import CloudModel
package import NIOCore

/// Per-request state; the rest is in `DatabaseCall` and `PageCall`.
///
/// A class, since each part of a call refers to it. State: route and turn, which ``RequestCall`` sets before the steps run.
package final class CloudRequestContext: @unchecked Sendable {
    package let channel: any Channel
    /// The request's exchange; nil in tests without a socket.
    package let exchange: Exchange?
    /// A poll's turn, ended before the poll waits for other requests.
    package internal(set) var turn: PollTurns.Turn?
    /// Records decisions and costs of the request.
    package let trace = RequestTrace()
    /// The route's name, empty until matched.
    package internal(set) var route = ""

    /// For tests without a socket.
    package init(channel: any Channel) {
        self.channel = channel
        exchange = nil
        turn = nil
    }

    package init(_ exchange: Exchange) {
        channel = exchange.channel
        self.exchange = exchange
        turn = nil
    }

    /// The peer address of the connection.
    package var peer: SocketAddress? { channel.remoteAddress }
    package var sender: FileSender { FileSender(exchange) }
    /// Confirms delivery to the client.
    package var recipient: Recipient { Recipient(exchange) }
}
