import CloudModel
import NIOCore

/// Admission of one connection: counts against the server's limit and its address's limit.
final class ConnectionPlace: Sendable {
    #if os(Linux)
        /// `TCP_USER_TIMEOUT`, which covers a window that stays closed as well as a host that is gone.
        private static let userTimeout = (option: NIOBSDSocket.Option(rawValue: 18), unit: Duration.milliseconds(1))
    #else
        /// `TCP_RXT_CONNDROPTIME` of macOS, the time in which nothing that was sent is acknowledged.
        private static let userTimeout = (option: NIOBSDSocket.Option(rawValue: 0x80), unit: Duration.seconds(1))
    #endif
    private static let retryAfter = (crowded: 5, address: 1)

    /// The refusal of a connection over a limit; nil for an admitted connection.
    let refusal: ServerError?
    private let gate: ConnectionGate
    private let connections: Connections
    private let channel: any Channel

    /// Counts the connection until ``leave()``.
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

    /// Sets the system's timeout for unacknowledged data; 0 keeps the system's default. Best effort: a failure only delays
    /// the end of a stuck connection.
    ///
    /// Linux also times out a client whose receive window is smaller than the next segment.
    static func endUnread(_ channel: any Channel, after time: Duration) {
        let count = SocketOptionValue(Int32(clamping: Int(time / userTimeout.unit)))
        _ = channel.setOption(
            ChannelOptions.Types.SocketOption(level: .tcp, name: userTimeout.option), value: count)
    }
}
