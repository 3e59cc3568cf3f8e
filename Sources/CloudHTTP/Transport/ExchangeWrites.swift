import NIOCore

/// Writes bodies in pieces. On the event loop.
extension Exchange {
    /// Writes a piece of a body, after unsent parts of the answer.
    ///
    /// - Returns: a future that completes when the channel is writable.
    func write(_ bytes: ByteBuffer, by handler: ExchangeHandler) -> EventLoopFuture<Void> {
        guard let context = handler.context, context.channel.isActive else {
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        write(bytes, by: handler, nil)
        guard !context.channel.isWritable else { return context.eventLoop.makeSucceededVoidFuture() }
        let promise = handler.room ?? context.eventLoop.makePromise(of: Void.self)
        handler.room = promise
        return promise.futureResult
    }

    /// Writes a piece of a body, after unsent parts of the answer.
    ///
    /// - Parameters:
    ///   - bytes: nil to write the unsent parts only.
    ///   - isEnd: true if the piece ends the body.
    ///   - promise: fulfilled when the socket has taken the bytes; fails if it cannot.
    func write(
        _ bytes: ByteBuffer?, isEnd: Bool = false, by handler: ExchangeHandler, _ promise: EventLoopPromise<Void>?
    ) {
        guard let context = handler.context, self === handler.current else {
            return promise?.fail(ChannelError.ioOnClosedChannel) ?? ()
        }
        guard let parts = handOver(bytes, isEnd: isEnd) else { return promise?.succeed() ?? () }
        parts.write(by: handler, context, promise)
        context.flush()
    }

    /// Sends a file region, after unsent parts of the answer.
    ///
    /// - Parameter promise: fulfilled when the socket has taken the region.
    func write(_ region: FileRegion, by handler: ExchangeHandler, _ promise: EventLoopPromise<Void>) {
        guard let context = handler.context, self === handler.current else {
            return promise.fail(ChannelError.ioOnClosedChannel)
        }
        handOver()?.write(by: handler, context, nil)
        handler.write(.file(region), context, promise)
        context.flush()
    }
}

extension Exchange.Parts {
    /// Encodes and writes the parts, without flushing.
    func write(
        by handler: ExchangeHandler, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        handler.write(first, context, rest.isEmpty ? promise : nil)
        for part in rest.dropLast() { handler.write(part, context, nil) }
        if let last = rest.last { handler.write(last, context, promise) }
    }
}
