import CloudModel
import NIOCore

/// The place of one connection among all, and among those of its address.
final class ConnectionPlace: Sendable {
    #if os(Linux)
        /// `TCP_USER_TIMEOUT`, which covers a window that stays closed as well as a host that is gone.
        private static let userTimeout = (option: NIOBSDSocket.Option(rawValue: 18), unit: Duration.milliseconds(1))
    #else
        /// `TCP_RXT_CONNDROPTIME` of macOS, the time in which nothing that was sent is acknowledged.
        private static let userTimeout = (option: NIOBSDSocket.Option(rawValue: 0x80), unit: Duration.seconds(1))
    #endif
    private static let retryAfter = (crowded: 5, address: 1)

    /// The reason that the connection has no place; nil where it has.
    let refusal: ServerError?
    private let gate: ConnectionGate
    private let connections: Connections
    private let channel: any Channel

    /// Takes a place, which ``leave()`` gives back.
    init(_ channel: any Channel, gate: ConnectionGate, connections: Connections) {
        (self.channel, self.gate, self.connections) = (channel, gate, connections)
        if !gate.enter() {
            refusal = ServerError(
                .tryAgainLater, "\(gate.most) connections are open, the most there may be (connections)",
                .limit(gate.most, "connections"), retryAfter: Self.retryAfter.crowded)
        } else if connections.open(channel) == nil {
            gate.leave()
            let most = connections.mostPerAddress ?? 0
            refusal = ServerError(
                .throttled,
                "too many connections from this address, at most \(most) are allowed (connectionsPerAddress)",
                .limit(most, "connectionsPerAddress"), retryAfter: Self.retryAfter.address)
        } else {
            refusal = nil
        }
    }

    /// To be called once.
    func leave() {
        guard refusal == nil else { return }
        gate.leave()
        connections.close(channel)
    }

    /// Has the system end a connection whose other end takes nothing for so long; for 0 the system has its own way. Where
    /// that cannot be set, it lasts longer, and nothing else is lost.
    ///
    /// Linux counts a client whose window is smaller than what is to be sent next as one that takes nothing.
    static func endUnread(_ channel: any Channel, after time: Duration) {
        let count = SocketOptionValue(Int32(clamping: Int(time / userTimeout.unit)))
        _ = channel.setOption(
            ChannelOptions.Types.SocketOption(level: .tcp, name: userTimeout.option), value: count)
    }
}
