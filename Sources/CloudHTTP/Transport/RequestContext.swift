package import CloudModel
package import NIOCore

/// Per-request state; the rest is in `DatabaseCall` and `PageCall`.
package struct CloudRequestContext: Sendable {
    package let channel: any Channel
    /// The request's exchange; nil in tests without a socket.
    package let exchange: Exchange?
    /// A poll's turn, ended before the poll waits for other requests.
    package var turn: PollTurns.Turn?
    /// Records decisions and costs of the request.
    package let trace = RequestTrace()
    /// The route's name, empty until matched.
    package var route = ""

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
