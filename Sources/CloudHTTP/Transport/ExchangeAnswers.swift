import CloudModel
import NIOCore
import NIOHTTP1

/// Ends answers, and closes the connection after the last.
extension ExchangeHandler {
    /// Ends an exchange with its unsent parts.
    ///
    /// - Parameter error: the reason for a missing or incomplete answer.
    func end(_ exchange: Exchange, after error: (any Error)?) {
        guard exchange === current else { return }
        current = nil
        body.reader.take()?.finish()
        guard let context, context.channel.isActive else { return ended.succeed() }
        if let fault = error as? HTTPParserError { return refuse(fault) }
        if error != nil { return close(context) }
        let isThrottled = exchange.keptStatus == .tooManyRequests
        if let parts = exchange.handOver() {
            var taken: EventLoopPromise<Void>?
            if exchange.isHolding {
                taken = context.eventLoop.makePromise(of: Void.self)
                taken?.futureResult.assumeIsolated().whenComplete { _ in exchange.letGo() }
            }
            parts.write(by: self, context, taken)
        }
        isWritten = true
        if !isReading { flushAtEndOfTurn() }
        if isThrottled, body.isComing { return closeUnread() }
        if isLast || waiting.isCut && waiting.isEmpty { return closeOutput() }
        take()
    }

    /// Closes the connection after the answers of this turn, which closing alone would discard.
    func close(_ context: ChannelHandlerContext) {
        context.flush()
        context.close(promise: nil)
    }

    func flush() {
        guard isWritten else { return }
        isWritten = false
        context?.flush()
    }

    /// Whether an answer has to announce the close of the connection: its body has not arrived in full, and its rest may
    /// not be read. Without the announcement, proxies reuse a connection that is about to close.
    func closes(after status: HTTPResponse.Status) -> Bool {
        guard body.isComing, !abilities.isHTTP2 else { return false }
        if status == .tooManyRequests || body.unread?.mayExceed == true { body.isCloseAnnounced = true }
        return body.isCloseAnnounced
    }

    /// Closes the connection of an answered client that keeps sending an unread body.
    func closeUnread() {
        guard let context else { return }
        (isLast, body.isComing) = (true, false)
        waiting.removeAll()
        flush()
        drop()
        let channel = context.channel
        context.eventLoop.scheduleTask(in: Linger.throttled) { channel.close(promise: nil) }
    }

    /// Answers a malformed request.
    func refuse(_ fault: HTTPParserError) {
        arriving = nil
        if let context {
            let response = ConnectionRefusal(fault).answer(to: nil, RequestTrace())
            write(.whole(response, isLast: !abilities.isHTTP2), context, nil)
        }
        closeOutput()
    }

    /// Closes the sending side after the last answer, and the connection after the client's side or a timeout.
    func closeOutput() {
        guard let context else { return }
        isLast = true
        drop()
        waiting.removeAll()
        readHeld()
        context.flush()
        if client.isInputClosed { return closeOnceWritten() }
        let channel = context.channel
        let closed = context.eventLoop.makePromise(of: Void.self)
        context.close(mode: .output, promise: closed)
        closed.futureResult.whenComplete { _ in
            channel.eventLoop.scheduleTask(in: Linger.ordinary) { channel.close(promise: nil) }
        }
    }

    /// Closes both sides once the write buffer is empty.
    func closeOnceWritten() {
        guard let context else { return }
        isLast = true
        let left = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
        guard let left, left > 0 else { return context.close(promise: nil) }
        // The system's timeout ends a client that does not read (`ConnectionPlace.endUnread`).
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(50)) { [self] in closeOnceWritten() }
    }
}

/// The time between an answer and the close of its connection.
private enum Linger {
    /// The client's time to close its side after the server's.
    static let ordinary = TimeAmount.seconds(2)
    /// The time for an answer to reach a client whose body is no longer read.
    static let throttled = TimeAmount.milliseconds(100)
}
