package import NIOCore

/// Sends answers whose delivery must be confirmed.
package struct Recipient: Sendable {
    /// The longest wait for room in the socket; the server then closes the connection.
    private static let patience = TimeAmount.seconds(10)

    /// Nil in tests without a socket.
    private let exchange: Exchange?

    package init(_ exchange: Exchange?) { self.exchange = exchange }

    /// Calls `hasGone` when the client disconnects, or immediately if it has not read earlier answers.
    package func watch(_ hasGone: @escaping @Sendable () -> Void) async throws {
        guard let exchange else { return }
        try await exchange.onLoop { handler in
            if exchange.channel.isWritable {
                if !handler.client.watch(hasGone) { hasGone() }
            } else {
                exchange.channel.close(promise: nil)
                hasGone()
            }
            return exchange.channel.eventLoop.makeSucceededVoidFuture()
        }
    }

    /// Sends a piece of a body whose head is written. Returns when the socket has taken the bytes.
    ///
    /// - Throws: after a disconnect, or once the client stops reading.
    package func send(_ bytes: ByteBuffer, last: Bool = false, through writer: inout any ResponseBodyWriter)
        async throws
    {
        if try await sendToSocket(bytes, isEnd: last) { return }
        try await writer.write(bytes)
        if last { try await writer.finish() }
    }

    package func finish(through writer: inout any ResponseBodyWriter) async throws {
        if try await !sendToSocket(nil, isEnd: true) { try await writer.finish() }
    }

    /// - Returns: false without a socket.
    private func sendToSocket(_ bytes: ByteBuffer?, isEnd: Bool) async throws -> Bool {
        guard let exchange else { return false }
        try await exchange.onLoop { Self.send(bytes, isEnd: isEnd, of: exchange, by: $0) }
        return true
    }

    /// Sends an answer that the exchange holds in full. On the connection's event loop.
    ///
    /// - Parameter done: called with success once the socket has taken the answer.
    static func sendWhole(
        of exchange: Exchange, by handler: ExchangeHandler, _ done: @escaping (Result<Void, any Error>) -> Void
    ) {
        guard !handler.client.isGone, !handler.client.hasFinishedSending(exchange.channel) else {
            return done(.failure(ChannelError.ioOnClosedChannel))
        }
        let written = exchange.channel.eventLoop.makePromise(of: Void.self)
        write(nil, isEnd: true, of: exchange, by: handler, written, done)
    }

    private static func send(
        _ bytes: ByteBuffer?, isEnd: Bool, of exchange: Exchange, by handler: ExchangeHandler
    ) -> EventLoopFuture<Void> {
        let written = exchange.channel.eventLoop.makePromise(of: Void.self)
        if handler.client.isGone || handler.client.hasFinishedSending(exchange.channel) {
            written.fail(ChannelError.ioOnClosedChannel)
        } else {
            write(bytes, isEnd: isEnd, of: exchange, by: handler, written) { _ in }
        }
        return written.futureResult
    }

    /// Most writes complete immediately and start no timer.
    private static func write(
        _ bytes: ByteBuffer?, isEnd: Bool, of exchange: Exchange, by handler: ExchangeHandler,
        _ written: EventLoopPromise<Void>, _ done: @escaping (Result<Void, any Error>) -> Void
    ) {
        let channel = exchange.channel
        exchange.write(bytes, isEnd: isEnd, by: handler, written)
        let state = Writing()
        // Runs immediately if the write is already complete.
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
