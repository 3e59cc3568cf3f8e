import CloudModel
package import NIOCore

/// What goes along with a request; the rest travels in `DatabaseCall` and `PageCall`.
package struct CloudRequestContext: Sendable {
    /// The connection.
    let channel: any Channel
    /// The request's place on its connection; nil for requests of tests that have none.
    let exchange: Exchange?
    /// A poll's, which it ends where it has to wait for others.
    let turn: PollTurns.Turn?
    /// The decisions on the request's way, and what it costs.
    let trace = RequestTrace()
    /// The name of the route, once it is known.
    var route = ""

    /// For a request of a test, which has no connection.
    package init(channel: any Channel) {
        self.channel = channel
        exchange = nil
        turn = nil
    }

    init(_ exchange: Exchange, _ turn: PollTurns.Turn? = nil) {
        channel = exchange.channel
        self.exchange = exchange
        self.turn = turn
    }

    /// The address that the connection comes from.
    var peer: SocketAddress? { channel.remoteAddress }
    /// Sends files through the connection.
    var sender: FileSender { FileSender(exchange) }
    /// Whoever gets the answer.
    var recipient: Recipient { Recipient(exchange) }
}
