import CLinux
import NIOCore

/// The other end of a connection, for answers that have to know whether they got there.
struct Recipient: Sendable {
    /// The time it may take to make room for what is sent to it. The server hangs up on one who does not read.
    private static let patience = TimeAmount.seconds(10)

    /// Nil where there is no socket, as in tests without one.
    private let exchange: Exchange?

    init(_ exchange: Exchange?) { self.exchange = exchange }

    /// Calls back once it has gone, or does not read what it was sent before.
    func watch(_ hasGone: @escaping @Sendable () -> Void) async throws {
        guard let exchange else { return }
        try await exchange.onLoop { handler in
            if exchange.channel.isWritable {
                handler.watch(hasGone)
            } else {
                exchange.channel.close(promise: nil)
                hasGone()
            }
            return exchange.channel.eventLoop.makeSucceededVoidFuture()
        }
    }

    /// Sends a part of the body whose head has been written; ends when the socket has taken it.
    ///
    /// - Throws: when the other end has gone, or does not read.
    func send(_ bytes: ByteBuffer, last: Bool = false, through writer: inout any ResponseBodyWriter) async throws {
        if try await sendToSocket(bytes, isEnd: last) { return }
        try await writer.write(bytes)
        if last { try await writer.finish() }
    }

    /// Ends the body.
    func finish(through writer: inout any ResponseBodyWriter) async throws {
        if try await !sendToSocket(nil, isEnd: true) { try await writer.finish() }
    }

    /// - Returns: false when there is no socket.
    private func sendToSocket(_ bytes: ByteBuffer?, isEnd: Bool) async throws -> Bool {
        guard let exchange else { return false }
        try await exchange.onLoop { Self.send(bytes, isEnd: isEnd, of: exchange, by: $0) }
        return true
    }

    /// Sends an answer whose body is kept with it; on the connection's event loop.
    ///
    /// - Parameter done: told whether the socket has taken it.
    static func sendWhole(
        of exchange: Exchange, by handler: ExchangeHandler, _ done: @escaping (Result<Void, any Error>) -> Void
    ) {
        guard !handler.isGone, !hasFinishedSending(exchange.channel) else {
            return done(.failure(ChannelError.ioOnClosedChannel))
        }
        let written = exchange.channel.eventLoop.makePromise(of: Void.self)
        write(nil, isEnd: true, of: exchange, by: handler, written, done)
    }

    private static func send(
        _ bytes: ByteBuffer?, isEnd: Bool, of exchange: Exchange, by handler: ExchangeHandler
    ) -> EventLoopFuture<Void> {
        let written = exchange.channel.eventLoop.makePromise(of: Void.self)
        if handler.isGone || hasFinishedSending(exchange.channel) {
            written.fail(ChannelError.ioOnClosedChannel)
        } else {
            write(bytes, isEnd: isEnd, of: exchange, by: handler, written) { _ in }
        }
        return written.futureResult
    }

    /// Returns true if the client has closed its side, which the system may know before the channel has read so far.
    /// The socket would take what is sent to such a client, and nobody would read it.
    private static func hasFinishedSending(_ channel: any Channel) -> Bool {
        let isConnected = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable {
            (socket: NIOBSDSocket.Handle) in clinux_is_connected(socket) != 0
        }
        return isConnected == .some(false)
    }

    /// Most writes are done at once, and cost no timer.
    private static func write(
        _ bytes: ByteBuffer?, isEnd: Bool, of exchange: Exchange, by handler: ExchangeHandler,
        _ written: EventLoopPromise<Void>, _ done: @escaping (Result<Void, any Error>) -> Void
    ) {
        let channel = exchange.channel
        handler.write(bytes, isEnd: isEnd, of: exchange, written)
        let state = Writing()
        // Called here where it is done already.
        written.futureResult.assumeIsolated().whenComplete { result in
            state.isDone = true
            state.timer?.cancel()
            done(result)
        }
        if !state.isDone {
            state.timer = channel.eventLoop.assumeIsolated().scheduleTask(in: patience) { channel.close(promise: nil) }
        }
    }

    /// Touched on the channel's event loop only.
    private final class Writing {
        var isDone = false
        var timer: Scheduled<Void>?
    }
}
